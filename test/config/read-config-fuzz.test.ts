import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {readConfigText} from '../../source/config/read/load-config.ts';

const read = (text: string) => readConfigText('config.yaml', text, () => undefined);

describe('reading does not throw, whatever the file holds', () => {
	const answersBounded = (text: string) => {
		expect(read(text).config.problems.length).toBeLessThanOrEqual(540);
	};

	test('any text', () => {
		fc.assert(fc.property(fc.string({unit: 'binary', maxLength: 200}), answersBounded));
	});

	test('any text of YAML indicators', () => {
		const sign = fc.constantFrom(
			...Array.from('abc:-[]{}&*!|>\'"%@`#,? \n\t<~'),
			'mcp_servers',
			'platforms',
			'webhook',
			'routes',
		);
		fc.assert(
			fc.property(
				fc.array(sign, {maxLength: 60}).map(signs => signs.join('')),
				answersBounded,
			),
			{numRuns: 250},
		);
	});

	test('any value at known keys', () => {
		const junk = fc.jsonValue({maxDepth: 4});
		const known = fc.record(
			{
				mcp_servers: fc.dictionary(
					fc.string(),
					fc.record(
						{command: junk, url: junk, tools: junk, timeout: junk, env: junk, client_cert: junk, trust: junk},
						{requiredKeys: []},
					),
				),
				platforms: fc.record({
					webhook: fc.record(
						{
							extra: junk,
							enabled: junk,
							routes: fc.dictionary(
								fc.string(),
								fc.record({filters: junk, secret: junk, deliver: junk, coalesce: junk}, {requiredKeys: []}),
							),
						},
						{requiredKeys: []},
					),
				}),
				agent: junk,
			},
			{requiredKeys: []},
		);
		fc.assert(
			fc.property(known, value => answersBounded(JSON.stringify(value))),
			{numRuns: 120},
		);
	});

	test.each([
		['deep lists', `a: ${'['.repeat(5000)}`],
		['deep and closed lists', `a: ${'['.repeat(900)}${']'.repeat(900)}`],
		['deep blocks', Array.from({length: 400}, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
		[
			'aliases that multiply',
			`a: &a [x,x,x,x,x,x,x,x]\n${Array.from('bcdefghi')
				.map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join()}]`)
				.join('\n')}\n`,
		],
	])('%s are refused', (_name, text) => {
		expect(read(text).file).toBe('unusable');
	});
});
