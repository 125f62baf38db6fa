import {isCollection, parseDocument, stringify} from 'yaml';
import {variableName} from '../secrets/entry-secrets.ts';
import {type KeyPath} from '../values/problem-list.ts';
import {Problem} from '../../util/problem.ts';

/** A value as typed: YAML, in one line a scalar or a flow collection. Throws `bad_usage`; the text may be a secret and is not quoted. */
export function parseValue(text: string, form: 'one line' | 'any'): unknown {
	const document = parseDocument(text, {prettyErrors: false});
	const {contents, errors} = document;
	const isBlock = isCollection(contents) && contents.flow !== true;
	if (text.trim() === '' || errors.length > 0 || (isBlock && form === 'one line')) {
		throw notYaml(text);
	}

	try {
		return document.toJS();
	} catch {
		// An alias of nothing.
		throw notYaml(text);
	}
}

function notYaml(text: string): Problem {
	return text.trim() === ''
		? new Problem('bad_usage', {
				message: 'The value is empty',
				remedy: 'Remove a key with `sluice config unset KEY.PATH`; an empty text is \'""\'',
			})
		: new Problem('bad_usage', {
				message: 'The value is not YAML in one line',
				remedy: `Put a text into quotes of its own, as in '"a: b"'`,
			});
}

/** A value as YAML; not safe to show. */
export function yamlText(value: unknown): string {
	return stringify(value, {lineWidth: 0, flowCollectionPadding: false});
}

/** The value of a text of config.yaml; of one with errors, as much as can be read of it. */
export function valueOfText(text: string): unknown {
	try {
		return parseDocument(text, {merge: true, prettyErrors: false, logLevel: 'error'}).toJS();
	} catch {
		return undefined;
	}
}

/** A secret as it is stored: the value of a variable, and the text of config.yaml that refers to it. */
export type StoredSecret = {readonly name: string; readonly value: string; readonly reference: string};

/**
The variable for a secret at `path`. A reference that is there keeps its name; else the name is made of the key, with a number
where it has another value. `Bearer` and the like stay in config.yaml.
*/
export function storedSecret(
	secret: string,
	options: {
		readonly path: KeyPath;
		readonly present: unknown;
		readonly variable: (name: string) => string | undefined;
	},
): StoredSecret {
	const {path, present, variable} = options;
	const [, scheme = '', value = secret] = /^((?:Bearer|Basic|Token) +)(\S.*)$/isu.exec(secret) ?? [];
	const [, presentScheme = '', known] =
		/^((?:Bearer|Basic|Token) +)?\$\{(?:env:)?([A-Za-z_]\w*)\}$/iu.exec(String(present)) ?? [];
	const prefix = scheme === '' ? presentScheme : scheme;
	const name = known ?? freeName(path, name => (variable(name) ?? value) === value);
	return {name, value, reference: `${prefix}\${${name}}`};
}

function freeName(path: KeyPath, isFree: (name: string) => boolean): string {
	const [section, ...below] = path;
	const full = variableName(
		[...(section === 'mcp_servers' || section === 'platforms' ? [] : [section]), ...below].join('_'),
	);
	const own = path.at(-2) === 'env' ? [variableName(String(path.at(-1)))] : [];
	const candidates = [...own, full, ...Array.from({length: maxNumber - 1}, (_, index) => `${full}_${index + 2}`)];
	const free = candidates.find(isFree);
	if (free === undefined) {
		throw new Problem('config_invalid', {message: `${full} and ${maxNumber - 1} names like it are taken in .env`});
	}

	return free;
}

const maxNumber = 20;
