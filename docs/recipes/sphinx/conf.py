project = "Sphinx"
html_js_files = [("https://example.org/ringscope/embed.js", {"async": "async"})]
