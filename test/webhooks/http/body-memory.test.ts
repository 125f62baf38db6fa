import {Readable} from 'node:stream';
import {expect, test} from 'vitest';
import {readBody} from '../../../source/webhooks/http/body.ts';
import {createBodySlots} from '../../../source/webhooks/http/body-slots.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';

const mebibyte = 1_048_576;
const limits = {
	bodiesPerRoute: 64,
	totalBytes: 64 * mebibyte,
	largeFromBytes: mebibyte,
	largeBytes: 40 * mebibyte,
	idleMilliseconds: 1000,
};

/** A body that comes as a test pushes it. */
function openUpload(
	route: string,
	slots: ReturnType<typeof createBodySlots>,
	clock: ReturnType<typeof createFakeClock>,
) {
	const stream = new Readable({read() {}});
	const end = readBody(stream, {
		limitBytes: 25 * mebibyte,
		milliseconds: 30_000,
		clock,
		signal: neverAborted(),
		declaredBytes: 25 * mebibyte,
		takeSlot: () => slots.take(route),
	});
	return {stream, end};
}

test('a hundred uploads of 25 MB at a hundred routes hold at most 64 MB, and those that go on arrive', async () => {
	const clock = createFakeClock();
	const slots = createBodySlots(limits, clock);
	const chunk = Buffer.alloc(65_536);
	const ends = new Map<number, string>();
	const uploads = Array.from({length: 100}, (_, index) => openUpload(`r${index}`, slots, clock));
	uploads.forEach(({end}, index) => void end.then(({kind}) => ends.set(index, kind)));
	let most = 0;
	for (let sent = 0; sent < 25 * mebibyte; sent += chunk.length) {
		uploads.forEach(({stream}, index) => !ends.has(index) && stream.push(chunk));
		await clock.advance(10);
		most = Math.max(most, slots.heldBytes());
	}

	uploads.forEach(({stream}) => stream.push(null));
	await clock.settle();
	const count = (wanted: string) => [...ends.values()].filter(kind => kind === wanted).length;
	expect(most).toBeGreaterThan(40 * mebibyte);
	expect(most).toBeLessThanOrEqual(64 * mebibyte);
	expect([count('read') + count('bodies-full'), ends.size]).toEqual([100, 100]);
	expect(count('read')).toBeGreaterThanOrEqual(1);
	expect(slots.heldBytes()).toBe(0);
}, 60_000);

test('a body in tiny chunks is the same as in one', async () => {
	const clock = createFakeClock();
	const slots = createBodySlots(limits, clock);
	const {stream, end} = openUpload('r', slots, clock);
	const sent = Buffer.from(Array.from({length: 40_000}, (_, index) => index % 251));
	for (let from = 0; from < sent.length; ) {
		const to = from + 1 + (from % 3000);
		stream.push(sent.subarray(from, to));
		from = to;
	}

	stream.push(null);
	const reading = await end;
	expect(reading.kind === 'read' && Buffer.from(reading.bytes).equals(sent)).toBe(true);
});
