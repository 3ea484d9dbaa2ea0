// Texts that others wrote, as nodes of text: nothing of them becomes markup, and
// what does not print is spelled out, so that it can neither hide nor reorder
// what stands beside it.

const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

// shown gives a text as nodes, isolated from the direction of its neighbours.
export function shown(text) {
	const out = document.createElement("bdi");
	let from = 0;
	for (const found of text.matchAll(unseen)) {
		out.append(text.slice(from, found.index), spelled(found[0]));
		from = found.index + found[0].length;
	}
	out.append(text.slice(from));
	return out;
}

function spelled(character) {
	return make("span", { class: "hidden" }, "\\u{" + character.codePointAt(0).toString(16) + "}");
}

// make builds an element; attributes are set as texts and children appended,
// strings among them as text.
export function make(name, attributes = {}, ...children) {
	const e = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) {
		e.setAttribute(key, value);
	}
	e.append(...children);
	return e;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

// json lays the text of a JSON value out on lines. It moves the space between
// tokens and leaves the tokens as they are spelled: a number is not read, and a
// member that stands twice is shown twice.
export function json(text) {
	const out = document.createDocumentFragment();
	let depth = 0, last = "";
	const line = () => "\n" + "  ".repeat(depth);
	for (const [t] of text.matchAll(token)) {
		if (t === "}" || t === "]") {
			depth--;
			if (last !== "{" && last !== "[") out.append(line());
		} else if (last === "{" || last === "[" || last === ",") {
			out.append(line());
		} else if (last === ":") {
			out.append(" ");
		}
		if (t === "{" || t === "[") depth++;
		out.append(t.length === 1 && "{}[],:".includes(t) ? t : shown(t));
		last = t;
	}
	return out;
}
