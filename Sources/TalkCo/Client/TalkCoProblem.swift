import TalkCoWire
