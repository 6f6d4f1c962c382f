import { everywhere } from "./everywhere.mjs";

everywhere("webkit");
