import {describe, expect, test} from 'vitest';
import {type PresetName, presets} from '../../../source/config/webhooks/presets/preset-table.ts';
import {type Outcome, replyTo} from '../../../source/webhooks/http/outcome.ts';

const accepted: Outcome = {kind: 'accepted', route: 'r', event: 'push', deliveryId: 'd'};
const delivered: Outcome = {kind: 'delivered', route: 'r', target: 'telegram', deliveryId: 'd'};
const idle: readonly Outcome[] = [
	{kind: 'duplicate', deliveryId: 'd'},
	{kind: 'event-ignored', event: 'push'},
	{kind: 'filtered', route: 'r'},
	{kind: 'script-ignored', route: 'r'},
	{kind: 'same-delivery', eventId: 'e', outcome: delivered},
];
const refused: readonly Outcome[] = [
	{kind: 'malformed-body'},
	{kind: 'invalid-signature'},
	{kind: 'too-large'},
	{kind: 'rate-limited', retryAfterSeconds: 1},
	{kind: 'delivery-failed', deliveryId: 'd'},
	{kind: 'queue-full'},
	{kind: 'storage-unavailable'},
	{kind: 'stopping'},
];

const forms: ReadonlyArray<{
	readonly name: PresetName;
	readonly type?: string;
	readonly late: string;
	readonly none: string;
}> = [
	{name: 'slack', late: '', none: ''},
	{
		name: 'discord',
		type: 'application/json; charset=utf-8',
		late: '{"type":5}',
		none: '{"type":4,"data":{"content":"There is nothing to do.","flags":64}}',
	},
	{name: 'twilio', type: 'text/xml; charset=utf-8', late: '<Response/>', none: '<Response/>'},
];

describe.each(forms)('a route that answers callers of $name', ({name, type, late, none}) => {
	const {answers = 'json'} = presets[name];
	const headers = {'x-content-type-options': 'nosniff', ...(type !== undefined && {'content-type': type})};

	test.each([accepted, delivered])('acknowledges $kind', outcome => {
		expect(replyTo(outcome, answers)).toMatchObject({status: 200, text: late, name: outcome.kind});
		expect(replyTo(outcome, answers).headers).toEqual(headers);
	});

	test.each(idle)('has nothing to say to $kind', outcome => {
		const {name: known} = replyTo(outcome);
		expect(replyTo(outcome, answers)).toMatchObject({status: 200, text: none, name: known, headers});
	});

	test.each(refused)('answers $kind like any other', outcome => {
		expect(replyTo(outcome, answers)).toEqual(replyTo(outcome));
	});

	test.each([accepted, delivered] as const)('writes the result of $kind', outcome => {
		const result: Outcome = {
			kind: 'answered',
			outcome: outcome as Extract<Outcome, {kind: 'accepted'}>,
			answer: {contentType: 'text/plain', text: '<b>hi</b>'},
		};
		for (const form of [answers, 'json'] as const) {
			expect(replyTo(result, form)).toMatchObject({
				status: 200,
				text: '<b>hi</b>',
				name: outcome.kind,
				headers: {'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff'},
			});
		}
	});
});
