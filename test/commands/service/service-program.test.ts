import {describe, expect, test} from 'vitest';
import {isTemporaryProgram, programPaths} from '../../../source/commands/service/service-file.ts';

describe('the program of a service', () => {
	test('keeps the path it was started by, beside its real one', () => {
		expect(programPaths(process.execPath)[0]).toBe(process.execPath);
		expect(programPaths('/no/such/program')).toEqual(['/no/such/program']);
	});

	test.each([
		['/home/me/.npm/_npx/0123/node_modules/.bin/sluice', true],
		['/usr/local/bin/sluice', false],
	])('%s from npx: %s', (path, temporary) => expect(isTemporaryProgram(path)).toBe(temporary));
});
