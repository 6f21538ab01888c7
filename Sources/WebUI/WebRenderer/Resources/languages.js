// The language of the page's own texts.

/**
 * The first of the languages that has a table.
 * @param {string[]} languages BCP 47 tags, most preferred first
 * @param {object} tables texts by `en`, `ko`, `zh-Hant`
 * @returns {string} the name of the table; `en` if there is none
 */
export function supported(languages, tables) { return languages.map(tableName).find(name => Object.hasOwn(tables, name)) ?? "en"; }

/** Chinese has two scripts. A tag without one means that of its region; plain `zh` is the simplified one. */
function tableName(language) {
  const [primary, ...parts] = String(language).toLowerCase().split(/[-_]/);
  if (primary !== "zh") return primary;
  const isTraditional = parts.includes("hant") || !parts.includes("hans") && parts.some(part => ["tw", "hk", "mo"].includes(part));
  return isTraditional ? "zh-Hant" : "zh-Hans";
}
