import {sep} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {expandVariables, type VariableScope} from '../../../source/config/secrets/variables.ts';

const values: Readonly<Record<string, string>> = {
	A: 'one',
	EMPTY: '',
	NESTED: '${A}',
	USERHOME: 'from-env',
	userHome: 'also-from-env',
	'WITH SPACE': 'spaced',
};
const scope: VariableScope = {
	variables: name => (Object.hasOwn(values, name) ? values[name] : undefined),
	userHome: '/home/me',
	workspaceFolder: '/work/project',
};

describe('a reference', () => {
	test.each([
		['${A}', 'one'],
		['${env:A}', 'one'],
		['Bearer ${A}!', 'Bearer one!'],
		['${A}${env:A}', 'oneone'],
		['${userHome}/x', '/home/me/x'],
		['${workspaceFolder}', '/work/project'],
		['${workspaceFolderBasename}', 'project'],
		['${pathSeparator}', sep],
		['a${/}b', `a${sep}b`],
		['${USERHOME}', 'from-env'],
		['${env:userHome}', 'also-from-env'],
		['${WITH SPACE}', 'spaced'],
	])('%s is %s', (text, expected) => {
		expect(expandVariables(text, scope)).toBe(expected);
	});

	test.each([
		'${UNSET}',
		'${env:UNSET}',
		'${EMPTY}',
		'${env:EMPTY}',
		'${}',
		'${env:}',
		'${UserHome}',
		'${WORKSPACEFOLDER}',
		'${constructor}',
		'${ A }',
		'$A',
		'{A}',
		'${A',
		'$ {A}',
	])('%s stays as written', text => {
		expect(expandVariables(text, scope)).toBe(text);
	});

	test('a value is not searched for references again', () => {
		expect(expandVariables('${NESTED}', scope)).toBe('${A}');
	});

	test('a value with replacement patterns is taken literally', () => {
		expect(expandVariables('<${A}>', {...scope, variables: () => "$&$'$1"})).toBe("<$&$'$1>");
	});
});

test('a text without references is never changed', () => {
	fc.assert(
		fc.property(
			fc.string().filter(text => !text.includes('${')),
			text => expandVariables(text, scope) === text,
		),
	);
});
