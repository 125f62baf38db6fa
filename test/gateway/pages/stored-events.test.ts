import {expect, test} from 'vitest';
import {createReplay, storedPayload} from '../../../source/gateway/pages/stored-events.ts';
import {type Replay} from '../../../source/webhooks/pipeline/request-handler.ts';
import {type ReplayableEvent} from '../../../source/webhooks/pipeline/request-handler.ts';
import {type EventFile} from '../../../source/journal/rows/file-rows.ts';
import {sampleEvent} from '../../helpers/journal-records.ts';

const answered: Replay = {eventId: 'new', status: 202, name: 'accepted', reason: 'replay of e1'};

function open(
	event: ReturnType<typeof sampleEvent> | undefined,
	adapter: 'serving' | 'off' = 'serving',
	files: readonly EventFile[] = [],
) {
	const walked: ReplayableEvent[] = [];
	const stored = {
		findEvent: async (id: string) => (id === event?.id ? event : undefined),
		findIds: async () => ({ids: event ? [event.id] : []}),
		listEventFiles: async () =>
			files.map(({name, contentType, content}, index) => ({
				number: index + 1,
				name,
				contentType,
				bytes: content.length,
			})),
		findEventFile: async (_: string, number: number) => files[number - 1],
	};
	const replay = createReplay(stored, () =>
		adapter === 'off'
			? undefined
			: {
					replay: async stored => {
						walked.push(stored);
						return answered;
					},
				},
	);
	return {replay, walked};
}

test.each([
	['JSON', 'application/json', '{"pa\\u0074h": "/srv/app/a b"}', '{"path":"/srv/app/a b"}'],
	['a form', 'application/x-www-form-urlencoded', 'path=%2Fsrv%2Fapp%2Fa+b', '{"path":"/srv/app/a b"}'],
	['JSON with a name twice', '', '{"p": {"a": 1, "\\u0061": 2}}', '{"p":{"a":2}}\n{"p": {"a": 1, "\\u0061": 2}}'],
	['JSON with colons in its texts', '', '{"a:": [":", "\\":"]}', '{"a:":[":","\\":"]}'],
	['a form with a field twice', 'application/x-www-form-urlencoded', 'a=%2Fx&a=%2Fy', '{"a":"/x"}\na\n/x\na\n/y'],
	['a field beside a payload', 'application/x-www-form-urlencoded', 'payload={}&b=x', '{}\npayload\n{}\nb\nx'],
	[
		'a form of parts',
		'multipart/form-data; boundary=b',
		'--b\r\nContent-Disposition: form-data; name="payload"\r\n\r\n{"a":1}\r\n' +
			'--b\r\nContent-Disposition: form-data; name="n"; filename="../n"\r\n\r\nhi\r\n--b--\r\n',
		'{"a":1,"n":{"filename":"../n","content_type":"text/plain","bytes":2,"file":1,"text":"hi"}}\npayload\n{"a":1}\nn\nhi',
	],
	['what no route reads', 'image/png', 'x', undefined],
])(
	'the payload of a stored event is read as its templates read it, with all that leaves out: %s',
	async (_, type, body, payload) => {
		const event = sampleEvent({id: 'e1', headers: {'content-type': type}, body: new TextEncoder().encode(body)});
		const journal = {findEvent: async (id: string) => (id === 'e1' ? event : undefined)};
		const read = [];
		for (const id of ['e1', 'pruned', '']) {
			read.push(await storedPayload(journal, id));
		}

		expect(read).toEqual([payload, undefined, undefined]);
	},
);

test('a stored event is walked with its headers and its body', async () => {
	const event = sampleEvent({id: 'e1'});
	const {replay, walked} = open(event);
	expect(await replay('e1')).toEqual(answered);
	expect(walked).toEqual([event]);
});

test('a stored event is walked with its files', async () => {
	const event = sampleEvent({id: 'e1'});
	const files = ['a', 'b'].map(name => ({name, contentType: 'image/png', content: Buffer.from(name)}));
	const {replay, walked} = open(event, 'serving', files);
	await replay('e1');
	expect(walked).toEqual([{...event, files}]);
});

test.each([
	['an unknown event', undefined, 'e1', 'unknown_event'],
	['another id', sampleEvent({id: 'e1'}), 'e2', 'unknown_event'],
	['an event without a body', sampleEvent({id: 'e1', body: undefined}), 'e1', 'not_replayable'],
])('%s is refused and nothing is walked', async (...row) => {
	const [, event, id, code] = row;
	const {replay, walked} = open(event);
	await expect(replay(id)).rejects.toMatchObject({code});
	expect(walked).toEqual([]);
});

test('without a receiver nothing is replayed', async () => {
	await expect(open(sampleEvent({id: 'e1'}), 'off').replay('e1')).rejects.toMatchObject({
		code: 'not_replayable',
		message: expect.stringContaining('Webhooks are off'),
	});
});

test('a part of its id is enough, unless it is too short', async () => {
	const event = sampleEvent({id: '019a1b2c-0000-7abc-8def-0123456789ab'});
	const {replay, walked} = open(event);
	await replay('456789ab');
	expect(walked).toEqual([event]);
	await expect(replay('9ab')).rejects.toMatchObject({code: 'bad_usage'});
});
