import {expect, test} from 'vitest';
import {createLimitedWarning} from '../../../source/mcp/server-requests/server-request-handlers.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

test('ten warnings of a minute pass, and the next minute begins with how many did not', async () => {
	const clock = createFakeClock();
	const lines: string[] = [];
	const warn = createLimitedWarning(clock, text => void lines.push(text));
	for (let count = 0; count < 1000; count++) {
		warn('it asked');
	}

	expect(lines).toHaveLength(10);
	await clock.advance(60_000);
	warn('it asked again');
	expect(lines.slice(10)).toEqual(['990 more warnings about its requests were left out', 'it asked again']);
});
