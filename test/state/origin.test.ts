import {expect, test} from 'vitest';
import {type Origin, originText} from '../../source/state/origin.ts';

test.each<[Partial<Origin>, string]>([
	[{route: 'push', deliveryId: 'd-7'}, 'run 1 · route push · claimed delivery "d-7"'],
	[
		{route: 'push', deliveryId: 'd-7', signature: 'X-Hub-Signature-256'},
		'run 1 · route push · signature X-Hub-Signature-256 · claimed delivery "d-7"',
	],
	[{route: 'push', deliveryId: 'd-7', job: 'nightly'}, 'run 1 · job nightly · route push · claimed delivery "d-7"'],
	[{route: '', deliveryId: '', job: 'nightly'}, 'run 1 · job nightly'],
	[{route: '', deliveryId: '1'}, 'run 1'],
])('a run %j reads as it is', (origin, text) => {
	expect(originText({kind: 'run', runId: '1', route: '', deliveryId: '', ...origin} as Origin)).toBe(text);
});
