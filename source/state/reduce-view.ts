import {type GatewayEvent} from './event.ts';
import {unstamped} from './keyed-rows.ts';
import {type Snapshot} from './snapshot.ts';
import {type ViewEvent} from './view-event.ts';

/** What the window asked to see after one more answer; a newer answer of its kind replaces the older one. */
export function viewEvent(snapshot: Snapshot, event: Extract<GatewayEvent, ViewEvent>): Snapshot {
	switch (event.type) {
		case 'view.tools':
			return {...snapshot, toolList: unstamped(event)};
		case 'view.rules':
			return {...snapshot, ruleList: unstamped(event)};
		case 'view.page':
			return {...snapshot, page: {...unstamped(event), shownAt: event.time}};
		case 'view.call':
			return {...snapshot, manualCall: unstamped(event)};
	}
}
