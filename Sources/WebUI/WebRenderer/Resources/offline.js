// The page that is shown while the box is unreachable. It loads the real page when the box answers.

import { supported } from "./languages.js";

const texts = {
  en: { trying: "Trying…", silent: "Still no answer." },
  ko: {
    title: "Switchboard에 연결할 수 없습니다",
    why: "서버가 꺼져 있거나 이 기기가 서버의 네트워크 밖에 있을 수 있습니다. 서버가 응답하면 이 화면은 저절로 사라집니다.",
    retry: "다시 시도", trying: "연결하는 중…", silent: "아직 응답이 없습니다.",
  },
  "zh-Hant": {
    title: "無法連線到 Switchboard",
    why: "伺服器可能已關閉，或這部裝置不在伺服器的網路中。伺服器回應後，此畫面會自動消失。",
    retry: "重試", trying: "正在連線…", silent: "仍然沒有回應。",
  },
};
/** The time between two attempts, in milliseconds. */
const pause = 3_000;
/** The status codes of proxies for an unreachable box. */
const absent = [502, 503, 504];

const title = document.querySelector("h1");
const [why, retry, state] = ["why", "retry", "state"].map(id => document.getElementById(id));
/** The language of the phone, from the last page, and those of the browser. */
const languages = [localStorage.getItem("language") ?? "", ...navigator.languages];
const language = supported(languages, texts);
const words = texts[language];
let timer = 0;

document.documentElement.lang = language;
if (words.title) [title.textContent, why.textContent, retry.textContent] = [words.title, words.why, words.retry];

/** True if the box answers at all. */
async function answers() {
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store", signal }).catch(() => null);
  return answer !== null && !absent.includes(answer.status);
}

async function look() {
  clearTimeout(timer);
  const found = await answers();
  if (found) location.reload();
  else if (!document.hidden) timer = setTimeout(look, pause);
  return found;
}

async function lookNow() {
  retry.disabled = true;
  state.textContent = words.trying;
  const [found] = await Promise.all([look(), new Promise(resolve => setTimeout(resolve, 500))]);
  if (found) return;
  state.textContent = words.silent;
  retry.disabled = false;
  retry.focus();
}

retry.addEventListener("click", lookNow);
addEventListener("online", look);
document.addEventListener("visibilitychange", () => document.hidden || look());
// A tapped notification: the app's page, which replaces this one, takes it from the address.
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (typeof data?.tapped === "string") history.replaceState(null, "", `#notification=${encodeURIComponent(data.tapped)}`);
});
timer = setTimeout(look, pause);
