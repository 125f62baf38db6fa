import {eventDetailToJson} from '../control/to-wire.ts';
import {type EventDetailJson} from '../control/wire.ts';
import {type EventRecord, type Journal} from '../journal/journal.ts';

/** All that is known of a stored event: the row, what was sent, how it was judged, and what it led to. */
export async function findEventDetail(
	journal: Pick<Journal, 'findEvent' | 'listEventRuns' | 'listAnswers'>,
	id: string,
): Promise<EventDetailJson | undefined> {
	const event = journal.findEvent(id);
	const answers = journal.listAnswers({eventId: id, limit: 10});
	return event && eventDetailToJson(event, {body: await bodyText(event), runs: journal.listEventRuns(id), answers});
}

/** A body that was taken was decoded once already; the bound is for one that was not. */
const mostBodyBytes = 64 * 1_048_576;

/** The body as text; one that cannot be decoded is shown as it was sent. */
async function bodyText({body, headers}: EventRecord): Promise<string | undefined> {
	if (!body) {
		return undefined;
	}

	const {decodeContent} = await import('../webhooks/payload/payload.ts');
	const decoding = await decodeContent(body, headers['content-encoding'], mostBodyBytes);
	return Buffer.from(decoding.kind === 'decoded' ? decoding.bytes : body).toString('utf8');
}
