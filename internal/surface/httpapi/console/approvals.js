// The room of approvals: what waits for a person, and the place to decide. It
// holds nothing of its own; every fact is asked of /v1 with the credential of
// whoever looks.
import { json, make, shown } from "./text.js";

const tokenKey = "interlock.token";
const every = 2000; // milliseconds from one answer to the next question
const most = 100; // of what does not wait, the newest are shown

const $ = (id) => document.getElementById(id);
const cards = new Map(); // by id of the approval: {key, node}
let skew = 0; // the server's clock less this one, in milliseconds
let timer = 0;
let asking = 0; // counts the questions, so that a late answer is not taken for a new one

// credential takes the token out of a link that was opened; its place is the
// memory of this tab, and not the address.
function credential() {
	const given = location.hash.match(/^#(interlock-console-[A-Za-z0-9]+)$/);
	if (given) {
		sessionStorage.setItem(tokenKey, given[1]);
		history.replaceState(null, "", location.pathname);
	}
	return sessionStorage.getItem(tokenKey) ?? "";
}

class Problem extends Error {
	constructor(status, body) {
		super(body?.message || body?.detail || "The server answered with status " + status + " and no words.");
		this.status = status;
		this.reason = body?.reason ?? "";
	}
}

// ask sends one request and gives its JSON, or throws a Problem.
async function ask(method, path, body) {
	const headers = {};
	const token = credential();
	if (token) headers.Authorization = "Bearer " + token;
	if (body) headers["Content-Type"] = "application/json";
	const answer = await fetch(path, {
		method, headers, body: body && JSON.stringify(body),
		cache: "no-store", credentials: "omit", redirect: "error", referrerPolicy: "no-referrer",
	});
	const told = Date.parse(answer.headers.get("Date") ?? "");
	if (told) skew = told - Date.now();
	const text = await answer.text();
	let value = null;
	try {
		value = JSON.parse(text);
	} catch { /* no JSON is no words */ }
	if (!answer.ok) throw new Problem(answer.status, value);
	return value;
}

// words says what went wrong, and what to do where that is known.
function words(error) {
	if (!(error instanceof Problem)) {
		return "The server does not answer. This page asks again by itself.";
	}
	const more = pick({
		"operator-only": " Ask the operator, or open the link that `interlock console` prints on the machine of the store.",
		"policy-denied": " Policy gives you no right to decide on this call.",
		"approval-invalid": " Nothing was changed.",
		"not-found": " It may be of a tool that you do not see any more.",
	}, error.reason, "");
	return error.message + more;
}

// pick looks a word up in a table, and in nothing that the table inherits.
function pick(table, key, otherwise) {
	return Object.hasOwn(table, key) ? table[key] : otherwise;
}

function tell(error) {
	$("problem").hidden = !error;
	$("problem").replaceChildren(error ? shown(words(error)) : "");
	if (error?.reason) $("problem").append(" ", make("code", {}, "(" + error.reason + ")"));
}

async function refresh() {
	clearTimeout(timer);
	const mine = ++asking;
	try {
		const list = await ask("GET", "/v1/approvals");
		if (mine !== asking) return;
		show(list);
		$("live").textContent = "Live";
		if ($("problem").dataset.of === "list") tell(null);
	} catch (error) {
		if (mine !== asking) return;
		failed(error);
		if (error.status === 401) return;
	}
	if (!document.hidden) timer = setTimeout(refresh, every);
}

// failed tells why there is no list. Without a known token the page asks for
// one, and shows nothing of what it had.
function failed(error) {
	$("live").textContent = "Not up to date";
	$("problem").dataset.of = "list";
	if (error.status !== 401) {
		tell(error);
		return;
	}
	const had = credential();
	sessionStorage.removeItem(tokenKey);
	clear();
	$("live").textContent = "";
	tell(had ? error : null);
	$("enter").hidden = false;
	$("token").focus();
}

function clear() {
	asking++;
	clearTimeout(timer);
	cards.clear();
	$("waiting").replaceChildren();
	$("past").replaceChildren();
	$("room").hidden = $("leave").hidden = true;
	if ($("confirm").open) $("confirm").close("back");
}

// stateOf is what a person has to know of an approval, by the server's clock.
function stateOf(a) {
	const open = a.state === "asked" || a.state === "granted";
	if (a.expired || open && Date.parse(a.expires) <= Date.now() + skew) return "expired";
	return a.state === "asked" ? "waiting" : a.state;
}

function show(list) {
	$("enter").hidden = true;
	$("room").hidden = false;
	$("leave").hidden = !credential();
	const waiting = list.filter((a) => stateOf(a) === "waiting");
	const past = list.filter((a) => stateOf(a) !== "waiting").reverse().slice(0, most);
	const before = new Set(cards.keys());
	place($("waiting"), waiting, before);
	place($("past"), past, before);
	for (const id of before) {
		cards.get(id).node.remove();
		cards.delete(id);
	}
	$("count").textContent = waiting.length ? "(" + waiting.length + ")" : "";
	document.title = (waiting.length ? "(" + waiting.length + ") " : "") + "Approvals · Interlock";
	$("none").hidden = waiting.length > 0;
	$("nothing").hidden = past.length > 0;
	$("looking").hidden = !waiting.some((a) => !a.decidable);
	for (const left of document.querySelectorAll("[data-until]")) left.textContent = remaining(left.dataset.until);
}

// place puts the cards in order and touches none that stands where it should, so
// that whoever reads or types keeps his place.
function place(room, list, before) {
	list.forEach((a, i) => {
		before.delete(a.id);
		const key = JSON.stringify([a, stateOf(a)]);
		let card = cards.get(a.id);
		if (card?.key !== key) {
			const node = cardOf(a);
			card?.node.replaceWith(node);
			cards.set(a.id, card = { key, node });
		}
		if (room.children[i] !== card.node) room.insertBefore(card.node, room.children[i] ?? null);
	});
}

const effects = { read: "reads", write: "writes", destructive: "may destroy", unknown: "may destroy" };

// effectOf is the effect that counts: one that nobody states is destructive.
function effectOf(a) {
	return Object.hasOwn(effects, a.effect) ? a.effect : "unknown";
}

function cardOf(a) {
	const state = stateOf(a), effect = effectOf(a), title = "call-" + a.id;
	const node = make("li", { "aria-labelledby": title, "data-id": a.id, "data-state": state });
	node.append(make("div", { class: "top" },
		make("h3", { id: title, class: "code" }, shown(a.tool)),
		make("span", { class: "tag " + effect }, effects[effect]),
		...(state === "waiting" ? [] : [make("span", { class: "tag state" }, stateWords(a, state))])));
	const facts = make("dl", {},
		make("dt", {}, "Asked by"), make("dd", {}, shown(a.principal)),
		make("dt", {}, "Asked"), make("dd", {}, clock(a.asked)));
	if (state === "waiting") {
		facts.append(make("dt", {}, "Ends"), make("dd", {}, clock(a.expires), ", ", make("span", { "data-until": a.expires }, remaining(a.expires))));
	}
	node.append(facts);
	const details = state === "waiting" ? node : node.appendChild(make("details", {}, make("summary", {}, "More")));
	details.append(...argumentsOf(a), ...fineprint(a, state));
	if (state === "waiting" && a.decidable) {
		const yes = make("button", { type: "button", class: "go", "aria-describedby": title }, "Approve…");
		const no = make("button", { type: "button", class: "stop", "aria-describedby": title }, "Deny…");
		yes.addEventListener("click", () => confirm(a, true));
		no.addEventListener("click", () => confirm(a, false));
		node.append(make("p", { class: "actions" }, yes, no));
	}
	return node;
}

function stateWords(a, state) {
	const who = a.by ? " by " : "";
	const out = make("span", {}, pick({ granted: "approved", refused: "denied", used: "used", expired: "expired" }, state, "in a state that this page does not know"));
	if (who && (state === "granted" || state === "refused")) out.append(who, shown(a.by));
	return out;
}

function argumentsOf(a) {
	if (!a.args) {
		return [make("p", { class: "note" }, stateOf(a) === "waiting"
			? "The arguments are not at hand: the server was started since, they are too long to be kept, the tool has changed, or it is not yours to see. The caller brings them back by repeating the call."
			: "The arguments are not kept.")];
	}
	const size = new TextEncoder().encode(a.args).length;
	return [make("p", { class: "note" }, "Arguments, " + size + (size === 1 ? " byte" : " bytes")),
		make("pre", { class: "args", tabindex: "0", role: "region", "aria-label": "Arguments" }, json(a.args))];
}

// fineprint is what a person may want beside: what the tool says of itself, as
// he may see it, and the digest that the approval is bound to.
function fineprint(a, state) {
	const out = [make("details", {}, make("summary", {}, "Ids"),
		make("dl", {}, make("dt", {}, "Approval"), make("dd", { class: "code" }, shown(a.id)), make("dt", {}, "Digest of the call"), make("dd", { class: "code" }, shown(a.digest))))];
	if (state !== "waiting") return out;
	const way = a.tool.split("/");
	if (way.some((part) => /^(\.|%2e){0,2}$/i.test(part))) return out; // no path of a tool
	const about = make("details", {}, make("summary", {}, "What the tool says of itself"));
	about.addEventListener("toggle", async () => {
		if (!about.open || about.dataset.asked) return;
		about.dataset.asked = "yes";
		try {
			const tool = await ask("GET", "/v1/tools/" + way.map(encodeURIComponent).join("/"));
			about.append(make("p", {}, shown(tool.description ?? "")),
				make("p", { class: "note" }, "Version ", shown(String(tool.version ?? "")), ", family ", shown(String(tool.family ?? ""))));
		} catch (error) {
			about.append(make("p", { class: "note" }, shown(words(error))));
		}
	});
	return [about, ...out];
}

// confirm asks once more, with everything that is decided on in sight.
function confirm(a, yes) {
	const box = $("confirm");
	$("confirm-title").replaceChildren(yes ? "Approve this call?" : "Deny this call?");
	$("confirm-text").replaceChildren(shown(a.tool), " " + effects[effectOf(a)] + ". ", shown(a.principal), " asks for it. ",
		yes ? "It may be made once, with exactly these arguments, until " + clock(a.expires) + "." : "It will not be made; its caller may ask again.");
	$("confirm-args").replaceChildren(a.args ? json(a.args) : "The arguments are not at hand.");
	const unread = yes && !a.args; // nobody approves by one touch what he has not read
	$("unread").checked = false;
	$("confirm-unread").hidden = !unread;
	$("go").disabled = unread;
	$("go").textContent = yes ? "Approve" : "Deny";
	$("go").className = yes ? "go" : "stop";
	box.returnValue = "back";
	box.onclose = () => {
		if (box.returnValue === "go") decide(a, yes);
	};
	box.showModal();
}

async function decide(a, yes) {
	for (const b of document.querySelectorAll('[data-id="' + CSS.escape(a.id) + '"] .actions button')) b.disabled = true;
	try {
		await ask("POST", "/v1/approvals/" + encodeURIComponent(a.id), { decision: yes ? "approve" : "refuse" });
		tell(null);
	} catch (error) {
		$("problem").dataset.of = "decision";
		tell(error);
	}
	cards.delete(a.id) && $("main").querySelector('[data-id="' + CSS.escape(a.id) + '"]')?.remove();
	await refresh();
	$("main").focus();
}

function clock(text) {
	return new Date(text).toLocaleTimeString();
}

function remaining(text) {
	const left = Math.max(0, Math.round((Date.parse(text) - Date.now() - skew) / 1000));
	return left >= 120 ? "in " + Math.round(left / 60) + " minutes" : "in " + left + " seconds";
}

$("enter").addEventListener("submit", (event) => {
	event.preventDefault();
	const token = $("token").value.trim();
	$("token").value = "";
	if (!/^[\x21-\x7e]+$/.test(token)) {
		tell(new Problem(0, { message: "A token is one word of printing characters." }));
		return;
	}
	sessionStorage.setItem(tokenKey, token);
	tell(null);
	refresh();
});
$("leave").addEventListener("click", () => {
	sessionStorage.removeItem(tokenKey);
	clear();
	$("live").textContent = "";
	tell(null);
	$("enter").hidden = false;
	$("token").focus();
});
$("unread").addEventListener("change", () => {
	$("go").disabled = !$("unread").checked;
});
document.addEventListener("visibilitychange", () => document.hidden || $("room").hidden || refresh());
window.addEventListener("hashchange", () => credential() && refresh());
refresh();
