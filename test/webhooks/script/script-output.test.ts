import {expect, test} from 'vitest';
import {readScriptOutput} from '../../../source/webhooks/script/script-output.ts';

const payload = {a: 1};

test.each([
	['', undefined],
	[' \n', undefined],
	['[SILENT]\n', undefined],
	['{"__hermes_ignore__":true}', undefined],
	['{"__hermes_ignore__":"true"}', {__hermes_ignore__: 'true'}],
	['{"b":2}', {b: 2}],
	['{}', {}],
	['[SILENT] please', {a: 1, script_output: '[SILENT] please'}],
	['text\n', {a: 1, script_output: 'text'}],
	['[1]', {a: 1, script_output: '[1]'}],
	['12345678901234567890', {a: 1, script_output: '12345678901234567890'}],
	['{"b":', {a: 1, script_output: '{"b":'}],
])('%j makes %j', (output, expected) => {
	expect(readScriptOutput(output, payload)).toEqual(expected);
});

test.each([[[1]], ['text'], [null]])('beside the payload %j a text is a member', other => {
	expect(readScriptOutput('text', other)).toEqual({payload: other, script_output: 'text'});
});

test('__proto__ in the output is a member like any other', () => {
	const changed = readScriptOutput('{"__proto__":{"polluted":true}}', payload);
	expect(Object.hasOwn(Object(changed), '__proto__')).toBe(true);
	expect('polluted' in Object(changed)).toBe(false);
});
