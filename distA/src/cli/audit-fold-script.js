import { _ as keyRule, a as reportCall, c as reportToken, d as lineOf, l as isMintAddress, p as keyAt, u as mintCallAt } from "./audit-marker.js";
import { t as fragmentsOf } from "./audit-fragments.js";
import { parse } from "meriyah";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
// dist/src/audit/javascript/scope.js
function isNode(value) {
	return typeof value === "object" && value !== null && typeof value.type === "string";
}
function nodeAt(node, field) {
	const value = node[field];
	return isNode(value) ? value : void 0;
}
function nodesAt(node, field) {
	const value = node[field];
	return Array.isArray(value) ? value.map((item) => isNode(item) ? item : null) : [];
}
/** Collects every scope of a tree, and who writes which name; without recursion, since trees may be deep. */
function scopesOf(tree) {
	const root = {
		parent: null,
		names: /* @__PURE__ */ new Map(),
		isFunction: true
	};
	const opened = /* @__PURE__ */ new Map();
	const order = [];
	const stack = [{
		node: tree,
		scope: root,
		loop: null
	}];
	for (let next = stack.pop(); next !== void 0; next = stack.pop()) {
		const { node } = next;
		const scope = opensScope(node) ? {
			parent: next.scope,
			names: /* @__PURE__ */ new Map(),
			isFunction: /Function/.test(node.type)
		} : next.scope;
		if (scope !== next.scope) opened.set(node, scope);
		const loop = /Function/.test(node.type) ? null : next.loop ?? (isLoop(node) ? node : null);
		const visited = {
			node,
			scope,
			loop
		};
		order.push(visited);
		declare(visited, next.scope);
		const children = [];
		for (const value of Object.values(node)) for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) children.push({
			node: child,
			scope,
			loop
		});
		for (const child of children.reverse()) stack.push(child);
	}
	const properties = /* @__PURE__ */ new Map();
	const additions = [];
	for (const visited of order) assign(visited, properties, additions);
	for (const { names } of [root, ...opened.values()]) for (const writes of names.values()) writes.sort((a, b) => a.start - b.start);
	return {
		visit: (each) => {
			for (const { node, scope } of order) each(node, scope);
		},
		scopeOf: (node, outer) => opened.get(node) ?? outer,
		properties,
		additions
	};
}
function holderOf(name, scope) {
	for (let at = scope; at !== null; at = at.parent) if (at.names.has(name)) return at;
	return null;
}
function opensScope({ type }) {
	return /Function|^BlockStatement$|^StaticBlock$|^For|^CatchClause$/.test(type);
}
function isLoop({ type }) {
	return /^(?:For|While|DoWhile)/.test(type);
}
/** Names that a node brings into a scope. */
function declare({ node, scope, loop }, outer) {
	if (node.type === "VariableDeclaration") {
		const target = node["kind"] === "var" ? functionOf(scope) : scope;
		for (const declarator of nodesAt(node, "declarations")) {
			const id = declarator === null ? void 0 : nodeAt(declarator, "id");
			const init = declarator === null ? void 0 : nodeAt(declarator, "init");
			if (id !== void 0) bind$1(id, init, {
				scope,
				target,
				loop
			});
		}
	} else if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") {
		const id = nodeAt(node, "id");
		if (id !== void 0) bind$1(id, node, {
			scope: outer,
			target: outer,
			loop: null
		});
	}
	if (!/Function/.test(node.type)) {
		if (node.type === "CallExpression") bindArguments(node);
		return;
	}
	const given = argumentsByFunction.get(node);
	for (const [index, parameter] of nodesAt(node, "params").entries()) if (parameter !== null) bind$1(parameter, given?.nodes[index] ?? void 0, {
		scope: outer,
		target: scope,
		loop: null
	});
}
/** Arguments of functions that are called where they stand. */
var argumentsByFunction = /* @__PURE__ */ new WeakMap();
function bindArguments(call) {
	const callee = nodeAt(call, "callee");
	if (callee !== void 0 && /Function/.test(callee.type)) argumentsByFunction.set(callee, { nodes: nodesAt(call, "arguments") });
}
function bind$1(id, value, to, pick) {
	if (id.type === "Identifier") {
		const name = String(id["name"]);
		const writes = to.target.names.get(name) ?? [];
		to.target.names.set(name, writes);
		if (value !== void 0) writes.push({
			value,
			scope: to.scope,
			start: id.start,
			isAddition: false,
			loop: to.loop,
			...pick === void 0 ? {} : { pick }
		});
	} else if (id.type === "AssignmentPattern") {
		const left = nodeAt(id, "left");
		if (left !== void 0) bind$1(left, value ?? nodeAt(id, "right"), to, pick);
	} else if (id.type === "ArrayPattern") {
		for (const [index, element] of nodesAt(id, "elements").entries()) if (element !== null) bind$1(element, value, to, index);
	} else if (id.type === "ObjectPattern") for (const property of nodesAt(id, "properties")) {
		const key = property === null ? void 0 : nodeAt(property, "key");
		const inner = property === null ? void 0 : nodeAt(property, "value");
		if (key !== void 0 && inner !== void 0) bind$1(inner, value, to, String(key["name"] ?? key["value"]));
	}
}
function functionOf(scope) {
	let at = scope;
	while (!at.isFunction && at.parent !== null) at = at.parent;
	return at;
}
/** Assignments to names and to properties, once all names are known. */
function assign({ node, scope, loop }, properties, additions) {
	const property = (name, value) => {
		if (typeof name !== "string" || value === void 0) return;
		const writes = properties.get(name) ?? [];
		writes.push({
			value,
			scope,
			start: node.start,
			isAddition: false,
			loop
		});
		properties.set(name, writes);
	};
	if (/^Property(?:Definition)?$/.test(node.type) && node["computed"] !== true) {
		const key = nodeAt(node, "key");
		property(key?.["name"] ?? key?.["value"], nodeAt(node, "value"));
		return;
	}
	const operator = node["operator"];
	if (node.type !== "AssignmentExpression" || operator !== "=" && operator !== "+=") return;
	const left = nodeAt(node, "left");
	const value = nodeAt(node, "right");
	if (left === void 0 || value === void 0) return;
	if (left.type === "MemberExpression") {
		const name = nodeAt(left, "property");
		if (operator === "=") property(left["computed"] === true ? name?.["value"] : name?.["name"], value);
		return;
	}
	if (left.type !== "Identifier") return;
	const name = String(left["name"]);
	const holder = holderOf(name, scope);
	holder?.names.get(name)?.push({
		value,
		scope,
		start: node.start,
		isAddition: operator === "+=",
		loop
	});
	if (operator === "+=" && holder !== null) additions.push([name, holder]);
}
// dist/src/audit/javascript/value.js
function isList(value) {
	return Array.isArray(value);
}
function isFields(value) {
	return typeof value === "object" && value !== null && "fields" in value;
}
function isCallable(value) {
	return typeof value === "object" && value !== null && "callable" in value;
}
/** What a condition comes to; `undefined` where that is not known. */
function truth(value) {
	if (value === void 0) return void 0;
	return typeof value === "object" ? value !== null : Boolean(value);
}
/** How a value reads inside a string; `undefined` where it is not known. */
function textOf(value) {
	if (typeof value === "string") return value;
	if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
	if (!isList(value)) return void 0;
	const parts = value.map(textOf);
	return parts.every((part) => part !== void 0) ? parts.join(",") : void 0;
}
// dist/src/audit/javascript/folder.js
/** What a destructuring pattern takes out of a value. */
function picked(value, pick) {
	if (pick === void 0) return value;
	if (typeof pick === "number") return isList(value) ? value[pick] : typeof value === "string" ? value[pick] : void 0;
	return isFields(value) ? value.fields.get(pick) : void 0;
}
/** The items of an array or of arguments, with what is spread into them. */
function listed(nodes, place, folder) {
	return nodes.flatMap((node) => {
		if (node?.type !== "SpreadElement") return [folder.evaluate(node, place)];
		const spread = folder.evaluate(nodeAt(node, "argument"), place);
		if (typeof spread === "string") return [...spread];
		return isList(spread) || spread instanceof Uint8Array ? [...spread] : [void 0];
	});
}
// dist/src/audit/javascript/list-calls.js
var longestMapped = 4096;
/** The result of a method of an array; nothing is changed in place. */
function listCall(value, method, args, folder) {
	const [first, second] = args;
	const numbers = args.filter((item) => typeof item === "number");
	switch (method) {
		case "reverse":
		case "toReversed": return [...value].reverse();
		case "concat": return [...value, ...args.flatMap((item) => isList(item) ? item : [item])];
		case "slice": return value.slice(...numbers);
		case "at": return typeof first === "number" ? value.at(first) : void 0;
		case "join": return joined(value, args.length === 0 ? "," : first);
		case "toString": return joined(value, ",");
		case "flat": return value.flatMap((item) => isList(item) ? item : [item]);
		case "filter":
		case "map":
		case "flatMap":
		case "reduce":
		case "reduceRight": break;
		default: return;
	}
	if (value.length > longestMapped) return void 0;
	if (method === "filter") return isCallable(first) ? value.filter((item, index) => truth(folder.call(first, [item, index])) === true) : value.filter((item) => truth(item) !== false);
	if (method === "map" || method === "flatMap") {
		if (!isCallable(first)) return void 0;
		const results = value.map((item, index) => folder.call(first, [
			item,
			index,
			value
		]));
		return method === "map" ? results : results.flatMap((item) => isList(item) ? item : [item]);
	}
	if (!isCallable(first)) return void 0;
	const items = method === "reduce" ? [...value] : [...value].reverse();
	let total = args.length > 1 ? second : items.shift();
	for (const [index, item] of items.entries()) total = folder.call(first, [
		total,
		item,
		index
	]);
	return total;
}
function joined(value, separator) {
	const parts = value.map(textOf);
	if (typeof separator !== "string" || parts.length === 0 || parts.includes(void 0)) return void 0;
	return parts.join(separator);
}
// dist/src/audit/javascript/string-calls.js
var longestRepeated = 65536;
/** The result of a method of a string. */
function stringCall(value, method, args) {
	const [first, second] = args;
	const numbers = args.filter((item) => typeof item === "number");
	switch (method) {
		case "concat": return args.every((item) => typeof item === "string" || typeof item === "number") ? value + args.join("") : void 0;
		case "split": return typeof first === "string" || first instanceof RegExp ? value.split(first) : void 0;
		case "match": return first instanceof RegExp && first.global ? value.match(first) ?? void 0 : void 0;
		case "replace":
		case "replaceAll":
			if (typeof second !== "string") return void 0;
			if (first instanceof RegExp) return value.replace(first, () => second);
			if (typeof first !== "string") return void 0;
			return method === "replace" ? value.replace(first, () => second) : value.replaceAll(first, () => second);
		case "repeat": return typeof first === "number" && first >= 0 && value.length * first < longestRepeated ? value.repeat(first) : void 0;
		case "padStart":
		case "padEnd": {
			if (typeof first !== "number" || first > longestRepeated) return void 0;
			const filler = typeof second === "string" ? second : " ";
			return method === "padStart" ? value.padStart(first, filler) : value.padEnd(first, filler);
		}
		case "toLowerCase":
		case "toLocaleLowerCase": return value.toLowerCase();
		case "toUpperCase":
		case "toLocaleUpperCase": return value.toUpperCase();
		case "trim": return value.trim();
		case "toString":
		case "valueOf":
		case "normalize": return value;
	}
	if (numbers.length !== args.length) return void 0;
	const [from = 0, to] = numbers;
	switch (method) {
		case "slice": return value.slice(from, to);
		case "substring": return value.substring(from, to);
		case "substr": return value.slice(from, to === void 0 ? void 0 : (from < 0 ? value.length + from : from) + to);
		case "charAt":
		case "at": return value.at(from);
		case "charCodeAt":
		case "codePointAt": return value.charCodeAt(from);
		default: return;
	}
}
// dist/src/audit/javascript/calls.js
/** The result of a call of one of the functions that put strings together, or of a function of the script. */
function callResult(node, place, folder) {
	const callee = nodeAt(node, "callee");
	if (callee === void 0) return void 0;
	const args = listed(nodesAt(node, "arguments"), place, folder);
	if (callee.type === "Identifier") return globalCall(String(callee["name"]), args) ?? folder.call(folder.evaluate(callee, place), args);
	if (callee.type !== "MemberExpression") return folder.call(folder.evaluate(callee, place), args);
	const property = nodeAt(callee, "property");
	const method = callee["computed"] === true ? folder.evaluate(property, place) : property?.["name"];
	const object = nodeAt(callee, "object");
	if (typeof method !== "string" || object === void 0) return void 0;
	const known = staticCall(`${pathOf(object)}.${method}`, args, folder);
	if (known !== void 0) return known;
	return methodCall(/^decode$/.test(method) && object.type === "NewExpression" ? args[0] : folder.evaluate(object, place), method, args, folder) ?? folder.call(folder.evaluate(callee, place), args);
}
/** `String.fromCharCode` for the nodes that spell it. */
function pathOf(node) {
	if (node.type === "Identifier") return String(node["name"]);
	const owner = nodeAt(node, "object");
	const name = nodeAt(node, "property");
	if (node.type !== "MemberExpression" || owner?.type !== "Identifier") return "";
	return `${String(owner["name"])}.${String(name?.["name"] ?? name?.["value"] ?? "")}`;
}
function globalCall(name, args) {
	const [first, second] = args;
	if (name === "String") return textOf(first);
	if (/^(?:Uint8Array|Uint8ClampedArray|Uint16Array|Array)$/.test(name)) return isList(first) || first instanceof Uint8Array ? first : args.length > 1 ? args : void 0;
	if (name === "Map") return isList(first) ? { fields: new Map(first.flatMap((pair) => isList(pair) ? [[String(pair[0]), pair[1]]] : [])) } : void 0;
	if (name === "URL" && typeof first === "string") return typeof second === "string" && URL.canParse(first, second) ? new URL(first, second).href : first;
	if (name === "parseInt" && typeof first === "string") return Number.parseInt(first, typeof second === "number" ? second : void 0);
	if (name === "Number" && typeof first === "string") return Number(first);
	if (typeof first !== "string") return void 0;
	if (name === "atob") return Buffer.from(first, "base64").toString("latin1");
	if (name === "btoa") return Buffer.from(first, "latin1").toString("base64");
	if (/^(?:decodeURIComponent|decodeURI|unescape)$/.test(name)) return first.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
function staticCall(path, args, folder) {
	const [first, second] = args;
	const name = path.replace(/^(?:window|globalThis|self|global)\./, "");
	if (!name.includes(".")) return globalCall(name, args);
	switch (name) {
		case "String.fromCharCode":
		case "String.fromCodePoint": return charsOf(args);
		case "String.fromCharCode.apply":
		case "String.fromCodePoint.apply": return isList(second) || second instanceof Uint8Array ? charsOf([...second]) : void 0;
		case "Buffer.from":
			if (typeof first !== "string") return bytesOf(first);
			return isEncoding(second ?? "utf8") ? new Uint8Array(Buffer.from(first, second ?? "utf8")) : void 0;
		case "Uint8Array.of":
		case "Array.of": return args;
		case "Array.from":
		case "Uint8Array.from": {
			const items = typeof first === "string" || isList(first) || first instanceof Uint8Array ? [...first] : void 0;
			return items === void 0 || second === void 0 ? items : listCall(items, "map", [second], folder);
		}
		case "Object.freeze":
		case "Object.seal":
		case "Promise.resolve": return first;
		case "Object.assign": return { fields: new Map(args.flatMap((arg) => isFields(arg) ? [...arg.fields] : [])) };
		case "Object.values": return isFields(first) ? [...first.fields.values()] : void 0;
		case "Object.keys": return isFields(first) ? [...first.fields.keys()] : void 0;
		case "Object.entries": return isFields(first) ? [...first.fields].map(([key, value]) => [key, value]) : void 0;
		case "JSON.parse": return typeof first === "string" ? parsed$1(first) : void 0;
		default: return;
	}
}
function charsOf(args) {
	const codes = args.map((arg) => typeof arg === "string" || typeof arg === "number" ? Number(arg) : NaN);
	return codes.every((code) => Number.isInteger(code) && code >= 0 && code <= 1114111) ? codes.map((code) => String.fromCodePoint(code)).join("") : void 0;
}
function isEncoding(name) {
	return typeof name === "string" && Buffer.isEncoding(name);
}
function bytesOf(value) {
	if (value instanceof Uint8Array) return value;
	return isList(value) && value.every((item) => typeof item === "number") ? Uint8Array.from(value) : void 0;
}
function parsed$1(text) {
	try {
		return constant(JSON.parse(text), 0);
	} catch {
		return;
	}
}
function constant(value, depth) {
	if (depth > 20) return void 0;
	if (Array.isArray(value)) return value.map((item) => constant(item, depth + 1));
	if (typeof value === "object" && value !== null) return { fields: new Map(Object.entries(value).map(([key, item]) => [key, constant(item, depth + 1)])) };
	return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
function methodCall(value, method, args, folder) {
	if (value instanceof Uint8Array) {
		const encoding = args[0] ?? "utf8";
		if (method === "toString" || method === "decode") return isEncoding(encoding) ? Buffer.from(value).toString(encoding) : void 0;
		return listCall([...value], method, args, folder);
	}
	if (isList(value)) {
		if (method === "decode") {
			const bytes = bytesOf(value);
			return bytes === void 0 ? void 0 : Buffer.from(bytes).toString("utf8");
		}
		return listCall(value, method, args, folder);
	}
	if (isFields(value) && method === "get") return value.fields.get(String(args[0]));
	if (isCallable(value)) {
		if (method === "call") return folder.call(value, args.slice(1));
		if (method === "apply") return folder.call(value, isList(args[1]) ? args[1] : []);
		return;
	}
	if (typeof value === "number") {
		const [radix = 10] = args;
		return method === "toString" && typeof radix === "number" && radix >= 2 && radix <= 36 ? value.toString(radix) : void 0;
	}
	return typeof value === "string" ? stringCall(value, method, args) : void 0;
}
// dist/src/audit/javascript/members.js
/** The value of a property of a constant, or of a property that the script gives one value only. */
function memberOf(node, place, folder) {
	const owner = nodeAt(node, "object");
	const property = nodeAt(node, "property");
	const name = node["computed"] === true ? folder.evaluate(property, place) : property?.["name"];
	if (typeof name !== "string" && typeof name !== "number") return void 0;
	const object = folder.evaluate(owner, place);
	if (typeof object === "string" || isList(object) || object instanceof Uint8Array) {
		if (name === "length") return object.length;
		const index = typeof name === "number" ? name : /^(?:0x[0-9a-f]+|\d+)$/i.test(name) ? Number(name) : void 0;
		return index === void 0 ? void 0 : object[index];
	}
	return (isFields(object) ? object.fields.get(String(name)) : void 0) ?? (typeof name === "string" ? folder.property(name) : void 0);
}
// dist/src/audit/javascript/operators.js
function sum(left, right) {
	if (typeof left === "number" && typeof right === "number") return left + right;
	if (typeof left !== "string" && typeof right !== "string") return void 0;
	return (textOf(left) ?? "￼") + (textOf(right) ?? "￼");
}
function arithmetic(operator, left, right) {
	if (/^[!=]==?$/.test(operator)) {
		if (left === void 0 || right === void 0 || typeof left === "object" || typeof right === "object") return void 0;
		return left === right === operator.startsWith("=");
	}
	const [a, b] = [Number(left), Number(right)];
	const isText = typeof left === "string" || typeof right === "string";
	if (![left, right].every((side) => typeof side === "number" || typeof side === "string")) return void 0;
	if (isText && !/^[-*/%]$/.test(operator)) return void 0;
	return {
		"-": () => a - b,
		"*": () => a * b,
		"/": () => a / b,
		"%": () => a % b,
		"^": () => a ^ b,
		"&": () => a & b,
		"|": () => a | b,
		"<<": () => a << b,
		">>": () => a >> b,
		">>>": () => a >>> b,
		"<": () => a < b,
		"<=": () => a <= b,
		">": () => a > b,
		">=": () => a >= b
	}[operator]?.();
}
/** Where the left side is not known, what stands in its place otherwise is the likelier text. */
function logical(operator, left, right) {
	if (operator === "??") return left === null || left === void 0 ? right() : left;
	const holds = truth(left);
	if (operator === "&&") return holds === false ? left : right();
	return holds === true ? left : right();
}
function unary(operator, value) {
	if (operator === "void") return null;
	if (operator === "!") {
		const holds = truth(value);
		return holds === void 0 ? void 0 : !holds;
	}
	if (operator === "typeof") return typeof value === "string" ? "string" : void 0;
	if (typeof value !== "number" && typeof value !== "string") return void 0;
	if (operator === "-") return -Number(value);
	if (operator === "+") return Number(value);
	return operator === "~" ? ~Number(value) : void 0;
}
// dist/src/audit/javascript/run.js
var next = { kind: "next" };
/** Runs a function of the script on constants; what it returns is `undefined` where that depends on anything else. */
function runBody({ callable, scope, frame }, args, folder) {
	const values = /* @__PURE__ */ new Map();
	const place = {
		scope: folder.scopeOf(callable, scope),
		frame: {
			parent: frame,
			values
		}
	};
	for (const [index, parameter] of nodesAt(callable, "params").entries()) if (parameter?.type === "RestElement") {
		const rest = nodeAt(parameter, "argument");
		if (rest !== void 0) bind(rest, args.slice(index), place, folder);
	} else if (parameter !== null) bind(parameter, args[index], place, folder);
	const body = nodeAt(callable, "body");
	if (body === void 0) return void 0;
	if (body.type !== "BlockStatement") return folder.evaluate(body, place);
	return run(body, place, folder).value;
}
/** What a name holds after a loop. */
function runLoop(loop, scope, name, value, folder) {
	const frame = {
		parent: null,
		values: /* @__PURE__ */ new Map([[name, value]])
	};
	run(loop, {
		scope,
		frame
	}, folder);
	return frame.values.get(name);
}
function bind(pattern, value, place, folder) {
	const { values } = place.frame ?? { values: /* @__PURE__ */ new Map() };
	if (pattern.type === "Identifier") values.set(String(pattern["name"]), value);
	else if (pattern.type === "AssignmentPattern") {
		const left = nodeAt(pattern, "left");
		if (left !== void 0) bind(left, value ?? folder.evaluate(nodeAt(pattern, "right"), place), place, folder);
	} else if (pattern.type === "ArrayPattern") {
		for (const [index, element] of nodesAt(pattern, "elements").entries()) if (element !== null) bind(element, picked(value, index), place, folder);
	} else if (pattern.type === "ObjectPattern") for (const property of nodesAt(pattern, "properties")) {
		const key = property === null ? void 0 : nodeAt(property, "key");
		const inner = property === null ? void 0 : nodeAt(property, "value");
		if (key !== void 0 && inner !== void 0) bind(inner, picked(value, String(key["name"] ?? key["value"])), place, folder);
	}
}
function run(statement, place, folder) {
	if (!folder.step()) return { kind: "return" };
	switch (statement.type) {
		case "BlockStatement": return runAll(nodesAt(statement, "body"), place, folder);
		case "ExpressionStatement":
			perform(nodeAt(statement, "expression"), place, folder);
			return next;
		case "VariableDeclaration":
			for (const declarator of nodesAt(statement, "declarations")) {
				const id = declarator === null ? void 0 : nodeAt(declarator, "id");
				const init = declarator === null ? void 0 : nodeAt(declarator, "init");
				if (id !== void 0) bind(id, folder.evaluate(init, place), place, folder);
			}
			return next;
		case "ReturnStatement": return {
			kind: "return",
			value: folder.evaluate(nodeAt(statement, "argument"), place)
		};
		case "IfStatement": {
			const chosen = nodeAt(statement, truth(folder.evaluate(nodeAt(statement, "test"), place)) === false ? "alternate" : "consequent");
			return chosen === void 0 ? next : run(chosen, place, folder);
		}
		case "TryStatement": {
			const block = nodeAt(statement, "block");
			return block === void 0 ? next : run(block, place, folder);
		}
		case "BreakStatement": return { kind: "break" };
		case "ContinueStatement": return { kind: "continue" };
		case "ForStatement":
		case "WhileStatement":
		case "DoWhileStatement": return repeat(statement, place, folder);
		case "ForOfStatement":
		case "ForInStatement": return iterate(statement, place, folder);
		default: return next;
	}
}
function runAll(statements, place, folder) {
	for (const statement of statements) {
		const ending = statement === null ? next : run(statement, place, folder);
		if (ending.kind !== "next") return ending;
	}
	return next;
}
function repeat(loop, place, folder) {
	const init = nodeAt(loop, "init");
	if (init?.type === "VariableDeclaration") run(init, place, folder);
	else perform(init, place, folder);
	const body = nodeAt(loop, "body");
	const test = nodeAt(loop, "test");
	for (let isFirst = true; folder.step(); isFirst = false) {
		if (!(loop.type === "DoWhileStatement" && isFirst) && test !== void 0 && truth(folder.evaluate(test, place)) !== true) return next;
		const ending = body === void 0 ? next : run(body, place, folder);
		if (ending.kind === "return") return ending;
		if (ending.kind === "break") return next;
		perform(nodeAt(loop, "update"), place, folder);
	}
	return { kind: "return" };
}
function iterate(loop, place, folder) {
	const right = folder.evaluate(nodeAt(loop, "right"), place);
	const isKeys = loop.type === "ForInStatement";
	const items = typeof right === "string" || isList(right) || right instanceof Uint8Array ? [...right] : [];
	const left = nodeAt(loop, "left");
	const [declarator] = left?.type === "VariableDeclaration" ? nodesAt(left, "declarations") : [];
	const target = declarator === void 0 || declarator === null ? left : nodeAt(declarator, "id");
	const body = nodeAt(loop, "body");
	for (const [index, item] of items.entries()) {
		if (target !== void 0) bind(target, isKeys ? String(index) : item, place, folder);
		const ending = body === void 0 ? next : run(body, place, folder);
		if (ending.kind === "return") return ending;
		if (ending.kind === "break") break;
	}
	return next;
}
/** An expression for what it changes. */
function perform(expression, place, folder) {
	if (expression === void 0) return;
	if (expression.type === "SequenceExpression") {
		for (const part of nodesAt(expression, "expressions")) perform(part ?? void 0, place, folder);
		return;
	}
	const target = nodeAt(expression, expression.type === "UpdateExpression" ? "argument" : "left");
	if (expression.type === "UpdateExpression" && target?.type === "Identifier") {
		const value = folder.evaluate(target, place);
		const step = expression["operator"] === "++" ? 1 : -1;
		set(String(target["name"]), typeof value === "number" ? value + step : void 0, place);
	} else if (expression.type === "AssignmentExpression" && target?.type === "Identifier") {
		const operator = String(expression["operator"]);
		const right = folder.evaluate(nodeAt(expression, "right"), place);
		const before = operator === "=" ? void 0 : folder.evaluate(target, place);
		const value = operator === "=" ? right : operator === "+=" ? sum(before, right) : arithmetic(operator.slice(0, -1), before, right);
		set(String(target["name"]), value, place);
	} else if (expression.type === "CallExpression") append(expression, place, folder);
}
/** `list.push(…)` on a list that the function itself made. */
function append(call, place, folder) {
	const callee = nodeAt(call, "callee");
	const list = callee === void 0 ? void 0 : nodeAt(callee, "object");
	const method = callee === void 0 ? void 0 : nodeAt(callee, "property")?.["name"];
	if (list?.type !== "Identifier" || method !== "push" && method !== "unshift") return;
	const value = folder.evaluate(list, place);
	if (!isList(value)) return;
	const added = listed(nodesAt(call, "arguments"), place, folder);
	set(String(list["name"]), method === "push" ? [...value, ...added] : [...added, ...value], place);
}
function set(name, value, { frame }) {
	for (let at = frame; at !== null; at = at.parent) if (at.values.has(name)) {
		at.values.set(name, value);
		return;
	}
	frame?.values.set(name, value);
}
// dist/src/audit/javascript/fold.js
var deepest$1 = 150;
var longest$1 = 262144;
var mostSteps = 2e5;
function createFolder(scopes) {
	const known = /* @__PURE__ */ new Map();
	const inProgress = /* @__PURE__ */ new Set();
	let depth = 0;
	let steps = 0;
	const evaluate = (node, place) => {
		if (node === null || node === void 0 || depth > deepest$1) return void 0;
		if (place.frame === null) {
			if (inProgress.has(node)) return void 0;
			if (known.has(node)) return known.get(node);
			inProgress.add(node);
		} else if (!folder.step()) return void 0;
		depth += 1;
		try {
			const value = bounded(constantOf(node, place, folder));
			if (place.frame === null) known.set(node, value);
			return value;
		} finally {
			depth -= 1;
			if (place.frame === null) inProgress.delete(node);
		}
	};
	const folder = {
		evaluate,
		scopeOf: scopes.scopeOf,
		call(callee, args) {
			if (!isCallable(callee) || depth > deepest$1 || !folder.step()) return void 0;
			depth += 1;
			try {
				return bounded(runBody(callee, args, folder));
			} finally {
				depth -= 1;
			}
		},
		property(name) {
			const [only, ...more] = scopes.properties.get(name) ?? [];
			return only === void 0 || more.length > 0 ? void 0 : evaluate(only.value, {
				scope: only.scope,
				frame: null
			});
		},
		step: () => ++steps < mostSteps
	};
	return folder;
}
/** Properties by which HTTP clients are told where their calls go. */
var baseAddress = /^(?:(?:base|prefix|api|server|service|mint)_?(?:ur[il]|base|host|root|address)?|host|origin|endpoint)$/i;
/** Strings, with the place where they stand or are put together, and the addresses that clients are given. */
function foldedStrings(tree) {
	const bases = [];
	const found = [];
	const within = /* @__PURE__ */ new Set();
	const scopes = scopesOf(tree);
	const folder = createFolder(scopes);
	scopes.visit((node, scope) => {
		if (node.type === "Literal") add(node["value"], node.start);
		if (!isComposed(node) || within.has(node)) return;
		if (node.type === "BinaryExpression") for (let left = nodeAt(node, "left"); left?.type === "BinaryExpression"; left = nodeAt(left, "left")) within.add(left);
		const place = {
			scope,
			frame: null
		};
		add(folder.evaluate(node, place), node.start);
		const code = evaluated(node);
		if (code !== void 0) add(folder.evaluate(code, place), code.start, true);
	});
	for (const [name, writes] of scopes.properties) if (baseAddress.test(name)) for (const { value, scope } of writes) {
		const address = folder.evaluate(value, {
			scope,
			frame: null
		});
		if (typeof address === "string") bases.push(address);
	}
	for (const [name, scope] of scopes.additions) add(written(scope.names.get(name) ?? [], name, Number.POSITIVE_INFINITY, folder), scope.names.get(name)?.[0]?.start ?? 0);
	return {
		strings: found,
		bases
	};
	function add(value, start, isCode = false) {
		if (typeof value === "string") found.push({
			value,
			start,
			isCode
		});
		else if (value instanceof Uint8Array) found.push({
			value: Buffer.from(value).toString("latin1"),
			start,
			isCode
		});
	}
}
/** The text that `eval`, `Function` or a timer runs. */
function evaluated(node) {
	const callee = nodeAt(node, "callee");
	const name = String(callee === void 0 ? "" : callee["name"] ?? nodeAt(callee, "property")?.["name"]);
	if (!/^(?:eval|Function|setTimeout|setInterval)$/.test(name)) return void 0;
	return nodesAt(node, "arguments").at(name === "Function" ? -1 : 0) ?? void 0;
}
function isComposed({ type, operator }) {
	return type === "BinaryExpression" ? operator === "+" : /^(?:TemplateLiteral|TaggedTemplateExpression|CallExpression|NewExpression)$/.test(type);
}
function bounded(value) {
	return (typeof value === "string" || isList(value)) && value.length > longest$1 ? void 0 : value;
}
function constantOf(node, place, folder) {
	const at = (field) => folder.evaluate(nodeAt(node, field), place);
	switch (node.type) {
		case "Literal": {
			const { value } = node;
			if (value instanceof RegExp) return isCheap(value) ? value : void 0;
			return typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null ? value : void 0;
		}
		case "TemplateLiteral": return templateText(node, "cooked", place, folder);
		case "TaggedTemplateExpression": return taggedText(node, place, folder);
		case "BinaryExpression": return sumOf(node, place, folder);
		case "LogicalExpression": return logical(String(node["operator"]), at("left"), () => at("right"));
		case "ConditionalExpression": {
			const test = truth(at("test"));
			return test === void 0 ? at("consequent") ?? at("alternate") : at(test ? "consequent" : "alternate");
		}
		case "UnaryExpression": return unary(String(node["operator"]), at("argument"));
		case "SequenceExpression": return nodesAt(node, "expressions").map((part) => folder.evaluate(part, place)).at(-1);
		case "Identifier": return named(String(node["name"]), node.start, place, folder);
		case "ArrayExpression": return listed(nodesAt(node, "elements"), place, folder);
		case "ObjectExpression": return { fields: new Map(nodesAt(node, "properties").flatMap((property) => fieldsOf(property, place, folder))) };
		case "ClassDeclaration":
		case "ClassExpression": return { fields: new Map(staticFields(node, place, folder)) };
		case "MemberExpression": return memberOf(node, place, folder);
		case "ParenthesizedExpression":
		case "ChainExpression": return at("expression");
		case "AssignmentExpression": return node["operator"] === "=" ? at("right") : void 0;
		case "AwaitExpression": return at("argument");
		case "FunctionDeclaration":
		case "FunctionExpression":
		case "ArrowFunctionExpression": return {
			callable: node,
			scope: place.scope,
			frame: place.frame
		};
		case "CallExpression":
		case "NewExpression": return callResult(node, place, folder);
		default: return;
	}
}
/** A pattern without repetition, which no text makes slow. */
function isCheap({ source }) {
	return /^(?:[^+*{(?\\]|\\.)*\+?$/.test(source);
}
function named(name, start, place, folder) {
	for (let frame = place.frame; frame !== null; frame = frame.parent) if (frame.values.has(name)) return frame.values.get(name);
	if (name === "undefined") return null;
	const writes = holderOf(name, place.scope)?.names.get(name);
	return writes === void 0 ? void 0 : written(writes, name, start, folder);
}
/** A name that is written more often than this holds nothing that could be told. */
var mostWrites = 64;
/** What a name holds at a place, by the writes before it; by the first one where it stands before all of them. */
function written(writes, name, start, folder) {
	if (writes.length > mostWrites) return void 0;
	const before = writes.filter((write) => write.start < start && write.value.start < start);
	const loops = /* @__PURE__ */ new Set();
	let value;
	for (const write of before.length > 0 ? before : writes.slice(0, 1)) {
		if (write.loop !== null && writes.length > 1) {
			if (!loops.has(write.loop)) value = runLoop(write.loop, write.scope, name, value, folder);
			loops.add(write.loop);
			continue;
		}
		const next = picked(folder.evaluate(write.value, {
			scope: write.scope,
			frame: null
		}), write.pick);
		value = write.isAddition ? sum(value, next) : next;
	}
	return value;
}
function templateText(node, form, place, folder) {
	const parts = nodesAt(node, "expressions").map((part) => textOf(folder.evaluate(part, place)) ?? "￼");
	return nodesAt(node, "quasis").map((quasi, index) => {
		const text = quasi?.["value"]?.[form];
		return String(text ?? "") + (parts[index] ?? "");
	}).join("");
}
/** `String.raw`; other tags mostly give their text back as it is. */
function taggedText(node, place, folder) {
	const quasi = nodeAt(node, "quasi");
	const tag = nodeAt(node, "tag");
	const isRaw = tag?.type === "MemberExpression" && nodeAt(tag, "property")?.["name"] === "raw";
	return quasi === void 0 ? void 0 : templateText(quasi, isRaw ? "raw" : "cooked", place, folder);
}
/** Long chains of `+` are walked along their left side, so that they do not exhaust the stack. */
function sumOf(node, place, folder) {
	if (node["operator"] !== "+") return arithmetic(String(node["operator"]), folder.evaluate(nodeAt(node, "left"), place), folder.evaluate(nodeAt(node, "right"), place));
	const parts = [];
	let left = node;
	while (left?.type === "BinaryExpression" && left["operator"] === "+") {
		parts.push(folder.evaluate(nodeAt(left, "right"), place));
		left = nodeAt(left, "left");
	}
	parts.push(folder.evaluate(left, place));
	parts.reverse();
	if (!parts.some((part) => typeof part !== "number")) return parts.reduce((all, part) => sum(all, part), 0);
	return parts.some((part) => typeof part === "string" || isList(part)) ? parts.map((part) => textOf(part) ?? "￼").join("") : void 0;
}
function fieldsOf(property, place, folder) {
	if (property?.type === "SpreadElement") {
		const spread = folder.evaluate(nodeAt(property, "argument"), place);
		return isFields(spread) ? [...spread.fields] : [];
	}
	const key = property === null ? void 0 : nodeAt(property, "key");
	if (property === null || !/^Property(?:Definition)?$/.test(property.type) || key === void 0) return [];
	const name = property["computed"] !== true && key.type === "Identifier" ? String(key["name"]) : textOf(folder.evaluate(key, place));
	if (name === void 0) return [];
	return [[name, folder.evaluate(nodeAt(property, "value"), place)]];
}
function staticFields(node, place, folder) {
	const body = nodeAt(node, "body");
	return (body === void 0 ? [] : nodesAt(body, "body")).flatMap((member) => member?.type === "PropertyDefinition" && member["static"] === true ? fieldsOf(member, place, folder) : []);
}
var [quote, apostrophe, backtick, backslash, slash, star, newline] = [
	34,
	39,
	96,
	92,
	47,
	42,
	10
];
/**
* Splits a script into tokens, also one that does not parse; a template counts as one text. `from` is where a token or
* the space before it begins; the last token is the one that begins before `to`.
*/
function tokensOf(script, from = 0, to = script.length) {
	let kind = /* @__PURE__ */ new Uint8Array(4096);
	let start = /* @__PURE__ */ new Int32Array(4096);
	let end = /* @__PURE__ */ new Int32Array(4096);
	let count = 0;
	const { length } = script;
	let at = from;
	while (at < to) {
		const code = script.charCodeAt(at);
		if (code <= 32) {
			at += 1;
			continue;
		}
		if (code === slash && (script.charCodeAt(at + 1) === slash || script.charCodeAt(at + 1) === star)) {
			at = commentEnd(script, at);
			continue;
		}
		const first = at;
		let of = 4;
		if (code === quote || code === apostrophe) {
			const close = stringEnd(script, at, code);
			if (close !== -1) of = 2;
			at = close === -1 ? at + 1 : close;
		} else if (code === backtick) {
			of = 2;
			at = templateEnd(script, at);
		} else if (isWord(code)) {
			of = code >= 48 && code <= 57 ? 3 : 1;
			while (at < length && isWord(script.charCodeAt(at))) at += 1;
		} else at += 1;
		if (count === kind.length) {
			kind = grown(kind, new Uint8Array(count * 2));
			start = grown(start, new Int32Array(count * 2));
			end = grown(end, new Int32Array(count * 2));
		}
		kind[count] = of;
		start[count] = first;
		end[count] = at;
		count += 1;
	}
	const tokens = {
		count,
		kind,
		start,
		end,
		after: new Int32Array(count),
		next: at
	};
	pair(script, tokens);
	return tokens;
}
function grown(from, to) {
	to.set(from);
	return to;
}
function isWord(code) {
	return code >= 97 && code <= 122 || code >= 65 && code <= 90 || code >= 48 && code <= 57 || code === 95 || code === 36 || code > 127;
}
function commentEnd(script, at) {
	const isLine = script.charCodeAt(at + 1) === slash;
	const close = script.indexOf(isLine ? "\n" : "*/", at + 2);
	return close === -1 ? script.length : close + (isLine ? 1 : 2);
}
/** -1 where the line ends first: then the quote stood in a regular expression or in running text. */
function stringEnd(script, start, close) {
	for (let at = start + 1; at < script.length; at++) {
		const code = script.charCodeAt(at);
		if (code === backslash) at += 1;
		else if (code === close) return at + 1;
		else if (code === newline) return -1;
	}
	return -1;
}
/** The end of a template, past the expressions inside it. */
function templateEnd(script, start) {
	let depth = 0;
	for (let at = start + 1; at < script.length; at++) {
		const code = script.charCodeAt(at);
		if (code === backslash) at += 1;
		else if (code === 36 && script.charCodeAt(at + 1) === 123) depth += 1;
		else if (code === 125 && depth > 0) depth -= 1;
		else if (code === backtick && depth === 0) return at + 1;
	}
	return script.length;
}
/** Finds the partner of every bracket in one pass; one that is closed by another kind has none. */
function pair(script, { count, kind, start, after }) {
	const open = [];
	for (let index = 0; index < count; index++) {
		if (kind[index] !== 4) continue;
		const char = script[start[index] ?? 0] ?? "";
		if (char === "(" || char === "[" || char === "{") open.push(index);
		else if (char === ")" || char === "]" || char === "}") {
			const from = open.pop();
			if (from !== void 0 && script[start[from] ?? 0] === {
				")": "(",
				"]": "[",
				"}": "{"
			}[char]) after[from] = index + 1;
		}
	}
}
// dist/src/audit/javascript/islands.js
var longest = 65536;
var longestName = 1024;
var mostText = 1048576;
var keywords = /^(?:return|const|let|var|case|typeof|new|await|yield|export|default|import|from|function|class|if|else|for|while|in|of|as|satisfies|extends|type|interface|enum|async|throw|delete|void|this)$/;
/** Tokens before a slice that may give the name of what it begins with. */
var lookBack = 32;
/**
* Expressions made of literals, names and calls: what can be folded of a script that does not parse as JavaScript, or
* is too large for a tree. Types and statements between them are passed over, and what was there already. As much of the
* script as `sliceLength` is split into tokens at once: those of many megabytes would not fit into memory.
*/
function islandsOf(script, prefix, sliceLength = 2097152) {
	const islands = [];
	const seen = /* @__PURE__ */ new Set();
	let total = 0;
	for (let from = 0, first = 0; from < script.length;) {
		const end = from + sliceLength;
		const tokens = tokensOf(script, from, end + longest);
		let index = first;
		for (; index < tokens.count && (tokens.start[index] ?? 0) < end; index++) {
			const found = islandAt(script, tokens, index, prefix);
			if (found === null) continue;
			const key = `${found.island.name}=${found.island.text}`;
			if (!seen.has(key)) {
				seen.add(key);
				islands.push(found.island);
				total += found.island.text.length;
				if (total > mostText) return {
					islands,
					isCut: true
				};
			}
			index = found.last;
		}
		if (index >= tokens.count) {
			first = 0;
			from = tokens.next;
			continue;
		}
		first = Math.min(lookBack, index);
		while ((tokens.start[index - first] ?? end) <= from) first -= 1;
		from = tokens.start[index - first] ?? script.length;
	}
	return {
		islands,
		isCut: false
	};
}
/** The island that begins at a token, and the last token that is passed over with it. */
function islandAt(script, tokens, index, prefix) {
	const end = expressionEnd(script, tokens, index);
	if (end === index) return null;
	const start = tokens.start[index] ?? 0;
	const length = (tokens.end[end - 1] ?? 0) - start;
	if (length > longest) return null;
	const text = script.slice(start, start + length);
	const isComposed = end > index + 1 || text.startsWith("`");
	const name = nameBefore(script, tokens, index);
	const isWhole = isComposed && isWorth(text, prefix);
	if (!isWhole && (name === null || !(isComposed || text.length <= longestName))) return null;
	return {
		island: {
			name,
			text,
			start
		},
		last: isWhole ? end - 1 : index
	};
}
/** A piece of what is looked for, or a sum of what may be pieces. */
function isWorth(text, prefix) {
	if (!/["'`+[]|\d,/.test(text)) return false;
	return text.length < longestName && /[+`]/.test(text) || fragmentsOf(prefix).inText(text);
}
function charAt(script, { start, kind }, index) {
	return kind[index] === 4 ? script[start[index] ?? 0] ?? "" : "";
}
function wordAt(script, { start, end, kind }, index) {
	return kind[index] === 1 ? script.slice(start[index], end[index]) : null;
}
/** `NAME = …` or `NAME: Type = …`. */
function nameBefore(script, tokens, index) {
	if (charAt(script, tokens, index - 1) !== "=") return null;
	const before = wordAt(script, tokens, index - 2);
	if (before !== null && charAt(script, tokens, index - 3) !== ":") return charAt(script, tokens, index - 3) === "." ? null : before;
	for (let at = index - 2; at > index - 24 && at > 0; at--) {
		const char = charAt(script, tokens, at);
		if (char === ":") return wordAt(script, tokens, at - 1);
		if (/[;(){}=]/.test(char)) return null;
	}
	return null;
}
/** The index after an expression that begins at a token; the same index where none begins. */
function expressionEnd(script, tokens, start) {
	let at = operandEnd(script, tokens, start);
	if (at === start) return start;
	while (charAt(script, tokens, at) === "+") {
		const end = operandEnd(script, tokens, at + 1);
		if (end === at + 1) break;
		at = end;
	}
	return at;
}
function operandEnd(script, tokens, start) {
	const kind = tokens.kind[start];
	const char = charAt(script, tokens, start);
	let at;
	if (kind === 2 || kind === 3) at = start + 1;
	else if (kind === 1) {
		if (keywords.test(wordAt(script, tokens, start) ?? "")) return start;
		at = start + 1;
	} else if (char === "(" || char === "[" || char === "{" && charAt(script, tokens, start - 1) === "=") at = tokens.after[start] || start;
	else return start;
	for (; at > start;) {
		const next = charAt(script, tokens, at);
		if (next === "." && tokens.kind[at + 1] === 1) at += 2;
		else if (next === "(" || next === "[") {
			const end = tokens.after[at] || at;
			if (end === at) break;
			at = end;
		} else break;
	}
	return at;
}
// dist/src/audit/javascript/tree-room.js
/** A tree takes about 400 bytes a token: with so many, the whole process stays below 400 MB. */
var mostTokens = 7e5;
/** Words and marks, counted roughly, comments included: what decides how large the tree of a script becomes. */
function tokensIn(text) {
	let count = 0;
	let wasWord = false;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		const isWord = code > 96 && code < 123 || code > 64 && code < 91 || code > 47 && code < 58 || code === 95;
		if (isWord ? !wasWord : code > 32) count += 1;
		wasWord = isWord;
	}
	return count;
}
/** Whether a script's tree would take more memory than there is for it. */
function isTooLargeForTree(text) {
	return text.length > mostTokens && tokensIn(text) > mostTokens;
}
var sinceCollected = 0;
var collect = null;
/** Trees that are done with are garbage, which V8 lets pile up to gigabytes: it is taken away before that. */
function makeRoomFor(text) {
	sinceCollected += text.length;
	if (sinceCollected < 3 * mostTokens) return;
	sinceCollected = text.length;
	if (collect === null) {
		setFlagsFromString("--expose-gc");
		collect = runInNewContext("gc");
	}
	collect();
}
// dist/src/audit/javascript/parse-script.js
/** Parses a script; expression by expression where it is no JavaScript, or too large. */
function parseScript(text, prefix) {
	makeRoomFor(text);
	const tree = isTooLargeForTree(text) ? null : parsed(text);
	if (tree !== null) return {
		tree,
		placeOf: (start) => start,
		isPartial: false,
		isCut: false
	};
	return fromIslands(text, prefix);
}
function parsed(text) {
	for (const sourceType of ["module", "script"]) try {
		return parse(text, {
			sourceType,
			ranges: true,
			next: true,
			jsx: true,
			webcompat: true,
			globalReturn: sourceType === "script"
		});
	} catch (error) {
		if (!(error instanceof Error)) throw error;
	}
	return null;
}
/** One tree of declarations and expressions, from what parses of its own. */
function fromIslands(text, prefix) {
	let made = "";
	const starts = [];
	const { islands, isCut } = islandsOf(text, prefix);
	for (const { name, text: island, start } of islands) {
		const head = name === null ? "(" : `var ${name} = this.${name} = (`;
		const statement = `${head}${island});\n`;
		if (parsed(statement) === null) continue;
		starts.push([made.length + head.length, start]);
		made += statement;
	}
	const tree = parsed(made);
	if (tree === null || starts.length === 0) return null;
	const placeOf = (place) => {
		let low = 0;
		for (let high = starts.length; low < high;) {
			const middle = low + high >>> 1;
			if ((starts[middle]?.[0] ?? 0) <= place) low = middle + 1;
			else high = middle;
		}
		const [from = 0, start = 0] = starts[Math.max(0, low - 1)] ?? [];
		return start + Math.max(0, place - from);
	};
	return {
		tree,
		placeOf,
		isPartial: true,
		isCut
	};
}
// dist/src/audit/javascript/fold-script.js
var deepest = 3;
var largest = 25165824;
/** Folds the constants of a script, and of the scripts that are among them and worth it. */
function foldScript(audit, script) {
	const { location, bytes, base, isCertain = true, depth = 0 } = script;
	if (bytes.length > largest) {
		audit.collector.gap("limit", location, "a script too large for its constants to be folded");
		return;
	}
	const text = bytes.toString("utf8");
	const parsed = parseScript(text, audit.prefix);
	if ((parsed === null || parsed.isPartial) && isCertain && !isTooLargeForTree(text)) audit.collector.gap("fallback", location, "not wholly folded: it does not parse as JavaScript");
	if (parsed === null) return;
	if (parsed.isCut) audit.collector.gap("limit", location, "a script with more expressions than can be folded: not wholly folded");
	const { tree, placeOf } = parsed;
	const { strings, bases } = foldedStrings(tree);
	const address = bases.find((address) => audit.mintHost !== void 0 && isMintAddress(address, audit.mintHost));
	for (const { value, start, isCode } of strings) {
		const code = isCode && depth < deepest ? Buffer.from(value) : null;
		if (code !== null && fragmentsOf(audit.prefix).inBytes(code)) {
			const offset = base + Buffer.byteLength(text.slice(0, placeOf(start)));
			foldScript(audit, {
				...script,
				bytes: code,
				base: offset,
				isCertain: false,
				depth: depth + 1
			});
		}
		if (!value.includes(audit.prefix) && !/calling\/token|e[wy]/.test(value)) continue;
		reportFolded(audit, script, {
			value,
			address
		}, () => Buffer.byteLength(text.slice(0, placeOf(start))));
	}
}
function reportFolded(audit, { location, format, bytes, base, file = bytes }, { value, address }, offsetIn) {
	const where = () => {
		const offset = base + offsetIn();
		return {
			location,
			format,
			offset,
			decoder: "folded",
			line: lineOf(file, offset)
		};
	};
	for (let at = value.indexOf(audit.prefix); at !== -1; at = value.indexOf(audit.prefix, at + 1)) {
		const { secret, shape, next } = keyAt(value, at, audit.prefix, audit.leastSuffix);
		const rule = keyRule("folded", shape);
		if (rule === null || audit.collector.has(location, secret) || rule.kind === "identifier") continue;
		if (shape === "bare" && next !== "" && next !== "￼") continue;
		audit.collector.report({
			...rule,
			...where(),
			secret,
			show: audit.prefix
		});
	}
	const isNew = ({ target, url }) => target !== "relative" && !audit.collector.has(location, url);
	const at = value.indexOf("v1/calling/token");
	const read = at === -1 ? null : mintCallAt(value, at, audit.mintHost);
	const call = read?.target === "relative" && address !== void 0 ? {
		...read,
		url: new URL(read.url, address).href,
		target: "mint"
	} : read;
	if (call !== null && (call.target === "interpolated" || isNew(call))) reportCall(audit, call, where());
	for (const [jwt] of value.matchAll(/e[wy][A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){1,3}/g)) if (!audit.collector.has(location, jwt)) reportToken(audit, jwt, where());
}
export { foldScript };
