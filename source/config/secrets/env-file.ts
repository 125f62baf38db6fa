import {randomBytes} from 'node:crypto';
import {parseEnv} from 'node:util';
import {type Clock} from '../../util/clock.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {type StatePaths} from '../read/state-paths.ts';
import {withConfigLock} from '../values/file-lock.ts';
import {readTextFile, writePrivateFile} from '../values/text-file.ts';

/** Sets variables in the text of a `.env`; comments and all other lines are preserved. Throws `config_invalid` for a value that cannot be written. */
export function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
	return Object.entries(variables).reduce((before, [name, value]) => setVariable(before, name, value), text);
}

/** Removes variables from the text of a `.env`; comments and all other lines are preserved. */
export function withoutVariables(text: string, names: readonly string[]): string {
	return names.reduce((before, name) => checked(before, before.replaceAll(assignmentOf(name), ''), [name]), text);
}

function setVariable(text: string, name: string, value: string): string {
	if (parseEnv(text)[name] === value) {
		return text;
	}

	const line = `${name}=${quoted(value)}`;
	if (parseEnv(line)[name] !== value || /[\r\n]/u.test(value)) {
		throw new Problem('config_invalid', {message: `The value of ${name} cannot be written to .env`});
	}

	const rest = text.replaceAll(assignmentOf(name), '');
	const separator = rest === '' || rest.endsWith('\n') ? '' : '\n';
	return checked(text, `${rest}${separator}${line}\n`, [name]);
}

/** The line of a variable, including a multi-line value. */
function assignmentOf(name: string): RegExp {
	const plain = name.replaceAll(/[^\w]/gu, String.raw`\$&`);
	return new RegExp(
		String.raw`^[ \t]*(?:export[ \t]+)?${plain}[ \t]*=[ \t]*(?:'[^']*'|"[^"]*"|${'`'}[^${'`'}]*${'`'})?[^\r\n]*(?:\r?\n|$)`,
		'gmu',
	);
}

/** The first quoting that preserves the value; `#` and blanks would end an unquoted one. */
function quoted(value: string): string {
	if (/^[\w.:/+=@%,~-]*$/u.test(value)) {
		return value;
	}

	const quote = ["'", '"', '`'].find(mark => parseEnv(`A=${mark}${value}${mark}`)['A'] === value);
	return quote === undefined ? value : `${quote}${value}${quote}`;
}

/** The new text. Throws `config_invalid` when it would change another variable. */
function checked(before: string, after: string, changed: readonly string[]): string {
	const values = parseEnv(after);
	const others = Object.entries(parseEnv(before)).filter(([name]) => !changed.includes(name));
	const known = new Set([...others.map(([name]) => name), ...changed]);
	if (others.some(([name, value]) => values[name] !== value) || Object.keys(values).some(name => !known.has(name))) {
		throw new Problem('config_invalid', {message: '.env has a line that cannot be parsed. Correct it in an editor'});
	}

	return after;
}

/** The variable that holds the endpoint's bearer token (docs/json.md, Log lines). */
export const endpointTokenName = 'SLUICE_ENDPOINT_TOKEN';

/** The token in the `.env` of a profile, created and written if missing. Rejects with `config_unreadable` when it cannot be written. */
export async function ensureEndpointToken({
	paths,
	clock,
}: {
	readonly paths: Pick<StatePaths, 'config' | 'env'>;
	readonly clock: Clock;
}): Promise<string> {
	const read = async () => (await readTextFile(paths.env)) ?? '';
	try {
		const existing = parseEnv(await read())[endpointTokenName];
		return existing || (await withConfigLock(paths, clock, async () => addEndpointToken(paths.env, await read())));
	} catch (caught) {
		throw toProblem(caught, 'config_unreadable', {message: 'The token of the endpoint cannot be written to .env'});
	}
}

/** The token in the text of the file, which another process may have written meanwhile; else a new one, written. */
async function addEndpointToken(path: string, text: string): Promise<string> {
	const existing = parseEnv(text)[endpointTokenName];
	if (existing) {
		return existing;
	}

	const token = randomBytes(32).toString('base64url');
	await writePrivateFile(path, withVariables(text, {[endpointTokenName]: token}));
	return token;
}
