import packageJson from "../package.json" with { type: "json" };

/** Version of this Greenroom, as in package.json. */
export const version: string = packageJson.version;
