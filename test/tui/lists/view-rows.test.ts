import {expect, test} from 'vitest';
import {parseFilter} from '../../../source/tui/lists/view-rows.ts';

const fields = {route: 'stripe-live', status: '401', note: 'bad signature'};

test.each([
	['', true],
	['stripe', true],
	['STRIPE', true],
	['github', false],
	['route:stripe', true],
	['route:401', false],
	['status:4', true],
	['!status:4', false],
	['!github', true],
	['stripe signature', true],
	['stripe github', false],
	['stripe !github', true],
	['nothere:x', false],
	['!nothere:x', true],
	['constructor:x', false],
	['"note":"bad', false],
	['!"note":"bad', true],
	['https://x', false],
	['!', false],
	[':', false],
])('%j lets the row pass: %s', (text, passes) => {
	expect(parseFilter(text)(fields)).toBe(passes);
});
