import { assetText } from "../asset-text.ts";

/** Charts use its custom properties too. */
export const pageStyle = assetText("base.css") + assetText("load.css");
