/** The product's version; the packages move together, so any of them says it. */
import manifest from "../package.json" with { type: "json" };

export const PRODUCT_VERSION: string = manifest.version;
