// The page's own texts, in the language of the phone if supported, otherwise of the browser.

import { supported } from "./languages.js";

const tables = {
  en: {
    back: "Back", sheet: "Sheet", choose: "Choose", resize: "Resize", refresh: "Refresh", home: "Home", text: "Text",
    progress: "In progress", lost: "Reconnecting…", undone: "Not done: the connection was lost", moved: "Open in another tab", here: "Use here",
    busy: "The server is busy…", slow: "Not done: the server was too busy", large: "Not done: the text is too long",
    full: "There is no room for another screen right now. This page tries again by itself.", again: "Try again",
    idle: "This screen was closed to make room for another one.", reopen: "Open again", cancel: "Cancel",
  },
  ko: {
    back: "뒤로", sheet: "시트", choose: "선택", resize: "크기 조절", refresh: "새로 고침", home: "홈", text: "텍스트",
    progress: "진행 중", lost: "다시 연결하는 중…", undone: "실행되지 않음: 연결이 끊겼습니다", moved: "다른 탭에 열려 있습니다", here: "여기서 사용",
    busy: "서버가 바쁩니다…", slow: "실행되지 않음: 서버가 너무 바빴습니다", large: "실행되지 않음: 텍스트가 너무 깁니다",
    full: "지금은 화면을 더 열 자리가 없습니다. 이 페이지는 저절로 다시 시도합니다.", again: "다시 시도",
    idle: "다른 화면을 열 자리를 만들기 위해 이 화면을 닫았습니다.", reopen: "다시 열기", cancel: "취소",
  },
  "zh-Hant": {
    back: "返回", sheet: "面板", choose: "選擇", resize: "調整大小", refresh: "重新整理", home: "主畫面", text: "文字",
    progress: "進行中", lost: "正在重新連線…", undone: "未完成：連線已中斷", moved: "已在其他分頁開啟", here: "在此使用",
    busy: "伺服器忙碌中…", slow: "未完成：伺服器過於忙碌", large: "未完成：文字太長",
    full: "目前沒有空間再開啟畫面。此頁面會自動重試。", again: "重試",
    idle: "為了讓出空間給其他畫面，此畫面已關閉。", reopen: "重新開啟", cancel: "取消",
  },
};
let words = tables.en;

/** Sets the language: the first supported one of these and of the browser's. */
export function speak(...languages) {
  words = tables[supported([...languages, ...navigator.languages], tables)];
  for (const el of document.querySelectorAll("[data-word]")) translate(el, el.dataset.word);
}

/**
 * Sets the text of an element, or its name if it has other content, and updates it with the language.
 * @returns {HTMLElement} the element
 */
export function translate(el, name) {
  el.dataset.word = name;
  if (el.matches(".home, .handle, .back")) el.setAttribute("aria-label", words[name]); else el.textContent = words[name];
  return el;
}

export const word = name => words[name];

speak();
