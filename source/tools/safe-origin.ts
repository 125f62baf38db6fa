import {type Origin} from '../state/origin.ts';
import {safeText} from '../util/safe-text.ts';

/** An origin fit to be shown: names of clients and delivery ids are chosen outside. */
export function safeOrigin(origin: Origin): Origin {
	switch (origin.kind) {
		case 'endpoint':
		case 'demo':
			return {...origin, client: short(origin.client)};
		case 'run':
			return {
				...origin,
				route: short(origin.route),
				deliveryId: short(origin.deliveryId),
				...(origin.job !== undefined && {job: short(origin.job)}),
			};
		case 'command-line':
		case 'dashboard':
			return origin;
	}
}

function short(text: string): string {
	return safeText(text, {maximumCharacters: 200});
}
