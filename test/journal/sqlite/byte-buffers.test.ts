import {describe, expect, test} from 'vitest';
import {createByteBuffers} from '../../../source/journal/sqlite/byte-buffers.ts';
import {type StorageRequest} from '../../../source/journal/operations/operations.ts';

const bytes = (length: number, value = 1) => new Uint8Array(length).fill(value);
const record = (body: Uint8Array | undefined): StorageRequest => ({name: 'recordEvent', args: [['row'], body], now: 1});

describe('Bytes of a batch', () => {
	test('lie in one buffer, each its own, and the rest of the requests is as it was', () => {
		const requests = [record(bytes(3, 7)), record(undefined), record(Buffer.from('body'))];
		const gathered = createByteBuffers().gather(requests);
		expect(gathered.requests).toEqual([
			record(bytes(3, 7)),
			record(undefined),
			record(new TextEncoder().encode('body')),
		]);
		const bodies = gathered.requests.flatMap(({args}) => args.filter(arg => arg instanceof Uint8Array));
		expect(bodies.map(({buffer}) => buffer)).toEqual([gathered.buffer, gathered.buffer]);
	});

	test('need no buffer where there are none', () => {
		const requests = [record(undefined)];
		expect(createByteBuffers().gather(requests)).toEqual({requests});
	});
});

describe('A buffer', () => {
	test('is used again once it came back, and not before', () => {
		const {gather, giveBack} = createByteBuffers();
		const first = gather([record(bytes(1000))]).buffer;
		expect(gather([record(bytes(1000))]).buffer).not.toBe(first);
		giveBack(first ?? new ArrayBuffer());
		expect(gather([record(bytes(2000))]).buffer).toBe(first);
		expect(gather([record(bytes(1000))]).buffer).not.toBe(first);
	});

	test('is not used for more than it holds', () => {
		const {gather, giveBack} = createByteBuffers();
		const first = gather([record(bytes(1000))]).buffer;
		giveBack(first ?? new ArrayBuffer());
		expect(gather([record(bytes(1_000_000))]).buffer?.byteLength).toBe(2 ** 20);
		expect(gather([record(bytes(1000))]).buffer).toBe(first);
	});

	test('is kept only while all that are kept take less than 8 MB', () => {
		const {gather, giveBack} = createByteBuffers();
		const large = new ArrayBuffer(6_000_000);
		giveBack(large);
		giveBack(new ArrayBuffer(3_000_000));
		expect(gather([record(bytes(1000))]).buffer).toBe(large);
		expect(gather([record(bytes(1000))]).buffer?.byteLength).toBe(2 ** 16);
	});
});
