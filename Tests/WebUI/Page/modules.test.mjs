// The page's modules as a whole.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../../Sources/WebUI/WebRenderer/Resources/", import.meta.url);

/** The modules that each module imports. */
const imports = new Map(readdirSync(folder).filter(name => name.endsWith(".js")).map(name => {
  const text = readFileSync(new URL(name, folder), "utf8");
  return [name, [...text.matchAll(/^import .* from "\.\/(.+\.js)";$/gm)].map(match => match[1])];
}));

test("no module imports itself by way of others", () => {
  const visit = (name, path) => {
    assert.ok(!path.includes(name), `${[...path, name].join(" imports ")}`);
    for (const next of imports.get(name)) visit(next, [...path, name]);
  };
  for (const name of imports.keys()) visit(name, []);
  assert.ok(imports.get("page.js").length > 5);
});
