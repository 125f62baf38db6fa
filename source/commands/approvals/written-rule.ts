import {type JsonObject, type JsonValue, lossInJson, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandFlags} from '../cli/command.ts';

/** The rule of a command line, written as in config.yaml. Its values are not checked yet. Throws `bad_usage`. */
export function writtenRule([tool, ...conditions]: readonly string[], flags: CommandFlags): JsonObject {
	const {origin, ignore = [], reason} = flags;
	const written = conditions.map(readCondition);
	const names = [...new Set(written.map(({name}) => name))];
	const conditionsOf = (name: string) => written.filter(one => one.name === name);
	return {
		action: actionOf(flags),
		...toolOf(tool),
		...(names.length > 0 && {arguments: Object.fromEntries(names.map(name => [name, joined(conditionsOf(name))]))}),
		...(ignore.length > 0 && {ignore: [...ignore]}),
		...(origin !== undefined && {origin: originOf(origin)}),
		...(reason !== undefined && {reason}),
	};
}

function actionOf({deny, ask, allow}: CommandFlags): 'deny' | 'ask' | 'allow' {
	const given = (['deny', 'ask', 'allow'] as const).filter(action => ({deny, ask, allow})[action]);
	const [action] = given;
	if (action === undefined || given.length > 1) {
		throw badUsage('A rule needs one of --deny, --ask or --allow');
	}

	return action;
}

/** Names of servers have no slash, names of tools may. */
function toolOf(word: string | undefined): {readonly server: string; readonly tool: string} {
	const [, server, tool] = /^([^/]+)\/(.+)$/su.exec(word ?? '') ?? [];
	if (server === undefined || tool === undefined) {
		const fault = word === undefined ? 'A rule needs a tool' : `"${shown(word)}" is not a tool`;
		throw badUsage(`${fault}. Write SERVER/TOOL, such as files/write_file, or '*/delete_*' for every server`);
	}

	return {server, tool};
}

function originOf(text: string): JsonObject {
	const colon = text.indexOf(':');
	return colon === -1 ? {kind: text} : {kind: text.slice(0, colon), name: text.slice(colon + 1)};
}

type Operator = '=' | '^=' | '*=' | '@=' | '<=' | '>=';
type WrittenCondition = {readonly name: string; readonly operator: Operator; readonly value: string};

/** The operators by the name of their condition in config.yaml, and how each reads its value. */
const operators: Readonly<Record<Operator, {readonly key: string; readonly read: (value: string) => JsonValue}>> = {
	'=': {key: 'equals', read: scalar},
	'^=': {key: 'prefix', read: value => value},
	'*=': {key: 'glob', read: value => value},
	'@=': {key: 'host', read: value => [value]},
	'<=': {key: 'max', read: number},
	'>=': {key: 'min', read: number},
};

function readCondition(word: string): WrittenCondition {
	const [, name, operator = '', value = ''] = /^([^=]*?)([\^*@<>]?=)(.*)$/su.exec(word) ?? [];
	if (!name || name === '__proto__' || !isOperator(operator)) {
		throw badUsage(
			`"${shown(word)}" is not a condition. Write NAME=VALUE; instead of =, you can use ^= (path and below), *= (glob), @= (host), <= or >=`,
		);
	}

	return {name, operator, value};
}

function isOperator(text: string): text is Operator {
	return Object.hasOwn(operators, text);
}

/** Several words about one argument: values of which it may have any, hosts, or a range. */
function joined(conditions: readonly WrittenCondition[]): JsonObject {
	const read = conditions.map(
		({operator, value}) => [operators[operator].key, operators[operator].read(value)] as const,
	);
	const kinds = new Set(read.map(([key]) => key));
	const values = read.map(([, value]) => value);
	if (read.length > 1 && kinds.size === 1 && kinds.has('equals')) {
		return {in: values};
	}

	if (read.length > 1 && kinds.size === 1 && kinds.has('host')) {
		return {host: values.flat()};
	}

	if (kinds.size < read.length) {
		const [first] = conditions;
		throw badUsage(`The argument "${shown(first?.name ?? '')}" has an operator twice; only = and @= can be repeated`);
	}

	return Object.fromEntries(read);
}

/** As in JSON: a number, `true`, `false`, or a text in quotes; any other text as it is. */
function scalar(text: string): JsonValue {
	const value = parseJson(text);
	return typeof value === 'string' || typeof value === 'boolean' ? value : number(text);
}

/** A text that is no number stays one: the rule is refused, or compares with it. */
function number(text: string): JsonValue {
	const value = parseJson(text);
	if (typeof value !== 'number') {
		return text;
	}

	const loss = lossInJson(text, value);
	if (loss !== undefined) {
		throw badUsage(loss);
	}

	return value;
}

function shown(word: string): string {
	return safeText(word, {maximumCharacters: 100});
}

function badUsage(message: string): Problem {
	return new Problem('bad_usage', {message});
}
