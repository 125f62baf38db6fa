import {type Snapshot} from '../../state/snapshot.ts';
import {type PageSubject} from '../../state/view-event.ts';
import {own, type UiState} from '../state/ui-state.ts';
import {viewTitle} from '../components/view-title.ts';

/** What is open for reading, by name. */
export function readingTitle(ui: UiState, snapshot: Snapshot): string {
	const {mode} = ui;
	switch (mode.kind) {
		case 'help':
			return 'Keys';
		case 'page':
			return snapshot.page && subjectText(snapshot.page.subject) === subjectText(mode.subject)
				? snapshot.page.title
				: subjectText(mode.subject);
		case 'login':
			return loginTitle(mode.server, snapshot);
		case 'proposal':
			return proposalTitle(mode.id, snapshot);
		case 'settled':
			return mode.title;
		case 'hand-call':
			return 'Call by hand';
		case 'browse':
		case 'detail':
		case 'review':
		case 'form':
		case 'form-text':
		case 'deny-message':
		case 'confirm':
		case 'prompt':
		case 'palette':
		case 'filter':
		case 'add-server':
			return own`${viewTitle(ui.view, ui, snapshot)} · details`;
	}
}

function subjectText(subject: PageSubject): string {
	switch (subject.kind) {
		case 'event':
			return `Event ${subject.eventId}`;
		case 'dry-run':
			return `Dry run of ${subject.eventId}`;
		case 'server-log':
			return `What ${subject.server} wrote to stderr`;
	}
}

function loginTitle(server: string, {logins}: Snapshot): string {
	const place = logins.findIndex(row => row.server === server);
	return `Login ${server}${logins.length > 1 && place !== -1 ? own` · ${place + 1} of ${logins.length}` : ''}`;
}

function proposalTitle(id: string, {proposals}: Snapshot): string {
	const place = proposals.findIndex(row => row.id === id);
	return own`Install a tool server? · ${place + 1} of ${proposals.length}`;
}
