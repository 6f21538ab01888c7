// A module loader for the page's modules: takes them as ES modules, and hands the query of a module's address on to what it imports,
// so that each query names an instance of all modules with a state of its own.

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (!found.url.includes("/WebRenderer/Resources/")) return found;
  const query = new URL(context.parentURL).pathname.includes("/WebRenderer/Resources/") ? new URL(context.parentURL).search : "";
  return { ...found, url: found.url + query, format: "module" };
}
