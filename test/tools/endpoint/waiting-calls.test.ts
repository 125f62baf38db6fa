import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {type Connection} from '../../../source/mcp/connection.ts';
import {done} from '../call-fixture.ts';
import {openProgressReport} from '../../../source/tools/endpoint/call-progress.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openEndpoint, ways, writing} from './endpoint-fixture.ts';

const minuteMilliseconds = 60_000;
const limited = {timeout: minuteMilliseconds, resetTimeoutOnProgress: true};
const stepMilliseconds = 15_000;

/** The limits of clients are those of `setTimeout`; sockets and streams are not. */
beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
afterEach(() => void vi.useRealTimers());

type Endpoint = Awaited<ReturnType<typeof openEndpoint>>;

/** Moves the time of the gateway and of the client on together; `seen` says that the client has what came of a step. */
async function wait({clock}: Endpoint, milliseconds: number, seen: (steps: number) => void): Promise<void> {
	for (let step = 1; step * stepMilliseconds <= milliseconds; step++) {
		await clock.advance(stepMilliseconds);
		await vi.waitFor(() => seen(step), {timeout: 10_000});
		await vi.advanceTimersByTimeAsync(stepMilliseconds);
	}
}

describe.each(ways)('$way', ({connect}) => {
	test('a client with a limit of a minute, which progress begins again, is answered after three minutes', async () => {
		const endpoint = await openEndpoint({callClock: 'fake'});
		const client = await connect(endpoint);
		const notes: Array<{readonly progress: number; readonly message?: string | undefined}> = [];
		const result = client.callTool(writing, {
			...limited,
			onprogress: note => void notes.push(note),
		});
		await vi.waitFor(() => expect(endpoint.approvals.pending()).toHaveLength(1));
		// At once, and then with each step.
		await vi.waitFor(() => expect(notes).toHaveLength(1));
		await wait(endpoint, 3 * minuteMilliseconds, steps => expect(notes).toHaveLength(1 + steps));
		await endpoint.answer({kind: 'approve', scope: 'once'});
		expect((await result).isError).not.toBe(true);
		expect(endpoint.requests).toHaveLength(1);
		const values = notes.map(({progress}) => progress);
		expect(values).toEqual([...new Set(values)].toSorted((first, second) => first - second));
		const id = endpoint.ofType('approval.requested')[0]?.id ?? '';
		expect(new Set(notes.map(({message}) => message))).toEqual(
			new Set([`Waiting for a person to allow this call (approval ${id.slice(-8)})`]),
		);
	});

	test('a client that asked for no progress gives up after its minute, and its approval is withdrawn', async () => {
		const endpoint = await openEndpoint({callClock: 'fake'});
		const client = await connect(endpoint);
		const result = client.callTool(writing, {timeout: minuteMilliseconds});
		const refused = expect(result).rejects.toThrow(/timed out/iu);
		await vi.waitFor(() => expect(endpoint.approvals.pending()).toHaveLength(1));
		await wait(endpoint, minuteMilliseconds, () => undefined);
		await refused;
		await vi.waitFor(() => expect(endpoint.ofType('approval.settled')).toMatchObject([{outcome: 'cancelled'}]));
	});

	test('the progress of the server rises behind that of the wait, and nothing is sent once the call is over', async () => {
		const respond: Connection['request'] = async (_, options) => {
			[0.25, 0.5, 1].forEach(progress => options.onProgress?.({progress, total: 1}));
			return done;
		};
		const endpoint = await openEndpoint({callClock: 'fake', respond});
		const client = await connect(endpoint);
		const values: number[] = [];
		const result = client.callTool(writing, {...limited, onprogress: ({progress}) => void values.push(progress)});
		await vi.waitFor(() => expect(values).toHaveLength(1));
		await wait(endpoint, minuteMilliseconds, steps => expect(values).toHaveLength(1 + steps));
		await endpoint.answer({kind: 'approve', scope: 'once'});
		await result;
		expect(values.slice(-3)).toEqual([0.25, 0.5, 1]);
		expect(endpoint.clock.open()).toBe(0);
	});
});

describe('the notes of a wait', () => {
	const open = () => {
		const clock = createFakeClock();
		const notes: Array<{readonly progress: number; readonly message?: string | undefined}> = [];
		const report = openProgressReport('a', {clock, notify: note => void notes.push(note)});
		return {...report, clock, notes};
	};

	test.each([
		{of: 'onAsking', message: 'Waiting for a person to allow this call (approval )'},
		{of: 'onHeld', message: 'Waiting until a person releases the hold of this gateway'},
		{of: 'onQuestion', message: 'Waiting for a person to answer a question of the server'},
	] as const)('$of: at once, every 15 s, and not after its end', async ({of, message}) => {
		const {watch, clock, notes} = open();
		watch[of](true);
		expect(notes).toMatchObject([{progressToken: 'a', message}]);
		await clock.advance(30_000);
		expect(notes).toHaveLength(3);
		watch[of](false);
		await clock.advance(60_000);
		expect(notes).toHaveLength(3);
	});

	test('rise also above a number that is large', async () => {
		const {watch, clock, notes} = open();
		watch.onProgress({progress: 1e18});
		watch.onHeld(true);
		await clock.advance(15_000);
		const values = notes.map(({progress}) => progress);
		expect(values).toHaveLength(3);
		expect(values.toSorted((first, second) => first - second)).toEqual([...new Set(values)]);
	});

	test('go on after the thousandth note of the server, which is its last', async () => {
		const {watch, clock, notes} = open();
		for (let progress = 1; progress <= 1100; progress++) {
			watch.onProgress({progress});
		}

		expect(notes).toHaveLength(1000);
		watch.onQuestion(true);
		await clock.advance(15_000);
		expect(notes).toHaveLength(1002);
	});
});
