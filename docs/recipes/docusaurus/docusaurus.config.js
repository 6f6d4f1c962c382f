module.exports = {
  title: "Docusaurus",
  url: "https://example.org",
  baseUrl: "/",
  scripts: [{ src: "https://example.org/ringscope/embed.js", async: true }],
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false, theme: {} }]],
};
