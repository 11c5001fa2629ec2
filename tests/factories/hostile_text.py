"""Text that tries to pass for something else: look-alikes of brackets, hidden characters, line breaks, our own tags."""

from hypothesis import strategies as st

from memoryhub.recall.escaping import BLOCK, MARK

LOOK_ALIKES = "<>‹›«»〈〉《》⟨⟩⟪⟫＜＞﹤﹥˂˃❮❯❰❱❬❭≪≫⋖⋗≺≻◀▶◄►⧼⧽〈〉ᐸᐳ“”„‟〝〞❝❞"
HIDDEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u2066\u200f\U000e0041\ufe0f\U000e0100\u3164\uffa0\u2800\u115f\x00\x1b\x7f"
BREAKS = "\n\r\t\v\f\x1c\x85\u2028\u2029"

_CHARACTERS = st.one_of(st.sampled_from(LOOK_ALIKES + HIDDEN + BREAKS + "/memory-notes‹note› =\"'&;"), st.characters())
_FORGERIES = st.sampled_from(
    [f"</{BLOCK}>", MARK, f'\n<{BLOCK} id="x">', "memory\u200b-notes", "&lt;", "MEMORY—NOTES", "” · verified: “"]
)
PHRASES = st.lists(st.text(_CHARACTERS) | _FORGERIES).map("".join)
