import {expect, test} from 'vitest';
import {createEventRows} from '../../../source/webhooks/pipeline/event-rows.ts';
import {createRequestContext} from '../../../source/webhooks/pipeline/request-context.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {recordEvents} from '../../helpers/record-events.ts';

test('of a refused request only the beginning of the headers is kept, of an accepted one all', () => {
	const clock = createFakeClock();
	const journal = {recordEvent: () => undefined, settleEvent: () => undefined};
	const rows = createEventRows({clock, publishFor: () => recordEvents().publish, journal, profile: 'default'});
	const headers = new Map(Array.from({length: 14}, (_, index) => [`x-${index}`, 'j'.repeat(1000)]));
	const context = createRequestContext(clock, headers);
	const refused = rows.record(context, {kind: 'unknown-route', name: 'none'});
	expect(JSON.stringify(refused.headers).length).toBeLessThan(1100);
	expect(refused.headers['x-0']).toBe('j'.repeat(200));
	const accepted = rows.record(context, {kind: 'accepted', route: 'r', event: 'push', deliveryId: 'one'});
	expect(accepted.headers).toEqual(Object.fromEntries(headers));
});
