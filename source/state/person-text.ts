import {because} from './because.ts';
import {hiddenWords} from './hidden-words.ts';
import {originText} from './origin.ts';
import {type PersonEvent} from './person-event.ts';

/** What a person was asked or answered, in one line. */
export function personText(event: PersonEvent): string {
	switch (event.type) {
		case 'approval.requested':
			return `${event.id} asks for ${event.server}/${event.tool}, from ${originText(event.origin)}${hiddenWords(event)
				.map(words => `, ${words}`)
				.join('')}`;
		case 'approval.settled':
			return `${event.id} ${event.outcome} ${event.server}/${event.tool}${event.scope ? ` (${event.scope})` : ''}${event.by ? ` by ${event.by}` : ''}${because(event.message)}`;
		case 'question.asked':
			return `${event.id} ${event.asker} asks${because(event.message)}`;
		case 'question.settled':
			return `${event.id} ${event.outcome} ${event.asker}${event.by ? ` by ${event.by}` : ''}`;
		case 'proposal.asked':
			return `${event.id} wants to install ${event.name}`;
		case 'proposal.settled':
			return `${event.id} ${event.outcome}${event.name ? ` ${event.name}` : ''}`;
		case 'login.state':
			return `${event.server} ${event.flow} login ${event.state}${event.userCode ? `, code ${event.userCode}` : ''}${event.verificationUri ? ` at ${event.verificationUri}` : ''}${because(event.reason)}`;
	}
}
