import {type PageRow, type Snapshot} from '../../state/snapshot.ts';
import {type PageSubject} from '../../state/view-event.ts';
import {exactLines, wrappedLines} from '../lists/list-row.ts';
import {webhookEvent} from '../lists/event-rows.ts';
import {own} from '../text/own-glyphs.ts';
import {type Line, ruleLine, span} from '../text/span.ts';

/** A page from the gateway in lines: its sections, or a note that they are still loading. */
export function pageLines(subject: PageSubject, page: PageRow | undefined, width: number): readonly Line[] {
	return page && isAbout(page.subject, subject)
		? page.sections.flatMap(({title, text}) => [ruleLine(title, width), ...textLines(text, width)])
		: [[span(own` asking the gateway …`, 'dim')]];
}

/** What the journal knows about a row of the events view: headers, body, prompt; nothing for rows that are no webhook event. */
export function eventPageLines(rowId: string, snapshot: Snapshot, width: number): readonly Line[] {
	const event = webhookEvent(rowId, snapshot);
	return event ? pageLines({kind: 'event', eventId: event.eventId}, snapshot.page, width) : [];
}

function isAbout(page: PageSubject, wanted: PageSubject): boolean {
	switch (page.kind) {
		case 'event':
		case 'dry-run':
			return wanted.kind === page.kind && wanted.eventId === page.eventId;
		case 'server-log':
			return wanted.kind === page.kind && wanted.server === page.server;
	}
}

/** Indented lines are data and shown exactly. The rest is wrapped at blanks. */
function textLines(text: string, width: number): Line[] {
	return text.split('\n').flatMap(line => (/^\s/u.test(line) ? exactLines(line, width) : wrappedLines(line, width)));
}
