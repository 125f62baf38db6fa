import {expect, test} from 'vitest';
import {problemCodes} from '../../source/util/problem-codes.ts';
import {refusedCommands} from '../helpers/remedy-commands.ts';

test.each(Object.entries(problemCodes))('the remedy of %s can be followed as it is written', (_, {remedy}) => {
	expect(remedy).not.toMatch(/\bthe message (?:says|names|lists|is|has)\b|^see\b|\bthe log has\b/iu);
	expect(refusedCommands(remedy)).toEqual([]);
});

test('a command that the program does not have is refused', () => {
	expect(refusedCommands('Run `sluice mcp list`, then `sluice mcp lst`')).toEqual(['mcp lst']);
});
