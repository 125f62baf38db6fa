import {expect, test} from 'vitest';
import {checkEnvLines} from '../../../source/config/secrets/env-lines.ts';
import {problemLine} from '../../../source/util/problem.ts';

function faults(text: string): readonly string[] {
	return checkEnvLines('.env', text).map(problem => problemLine(problem));
}

test('lines that are entries, comments or empty are no problem', () => {
	const lines = ['A=1', 'export B = two', '# C', '  ', "D='it''s' # no", 'E="a', 'b c', 'd"', 'F=', 'G=a"b'];
	expect(faults(lines.filter(line => !line.startsWith('D')).join('\n'))).toEqual([]);
	expect(faults("D='quoted' # and a comment\r\nE=1\r\n")).toEqual([]);
});

test.each([
	['TOKEN hunter2', 'The line is ignored. Allowed: NAME=value'],
	['MY TOKEN=hunter2', 'The line is ignored. Allowed: NAME=value'],
	['=hunter2', 'The line is ignored. Allowed: NAME=value'],
	['TOKEN="hunter2', 'The quote is never closed'],
	["TOKEN='hunt'er2", 'The text after the quoted value is ignored'],
])('%s is named by its line, without its text', (line, message) => {
	const [found, ...more] = faults(`A=1\n\n${line}\nB=2\n`);
	expect([found, more]).toEqual([expect.stringContaining(`.env:3:1: ${message}`), []]);
	expect(found).not.toContain('hunter2');
});
