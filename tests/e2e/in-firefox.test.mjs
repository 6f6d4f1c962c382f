import { everywhere } from "./everywhere.mjs";

everywhere("firefox");
