// Bytes as base64url without padding, for JSON.

export function base64(buffer) {
  const text = btoa(Array.from(new Uint8Array(buffer), byte => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export const bytes = text => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), character => character.charCodeAt(0));
