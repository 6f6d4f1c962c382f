import { everywhere } from "./everywhere.mjs";

everywhere("chromium");
