import {type JsonObject} from '../util/json-text.ts';

/** Signature of a delivery. `forged`: made with a secret that the gateway does not know. */
type DemoSignature = 'github' | 'generic-v2' | 'forged';

/** One delivery of the demo: what an outside service would post. */
export type DemoDelivery = {
	readonly route: string;
	/** The type of the event, in a GitHub header or, for Generic V2, in the payload. */
	readonly event: string;
	/** A repeated id makes a retried delivery. */
	readonly deliveryId: string;
	readonly signature: DemoSignature;
	readonly payload: JsonObject;
};

const repository = {full_name: 'green-thumb/allotment'};

const issueTitles = [
	'Slugs in the lettuce bed',
	'The rain barrel leaks',
	'Which tomatoes for next year?',
	'Path to the compost is blocked',
	'The greenhouse door sticks',
];

/** The number of deliveries before the kinds repeat. */
const roundLength = 8;

/** The delivery with this number: accepted, filtered, forged, unwanted and repeated in turn, so that every outcome is seen. */
export function demoDelivery(number: number): DemoDelivery {
	const round = Math.floor(number / roundLength);
	const deliveryId = `demo-${number}`;
	switch (number % roundLength) {
		case 0:
			return {...issue(number), deliveryId, signature: 'github'};
		case 1:
			return {...push('refs/heads/try-raised-beds'), deliveryId, signature: 'github'};
		case 2:
			return {...issue(number), deliveryId, signature: 'forged'};
		case 3:
			return {...issue(number), event: 'star', deliveryId, signature: 'github'};
		case 4:
			return {...issue(round * roundLength), deliveryId: `demo-${round * roundLength}`, signature: 'github'};
		case 5:
			return {...issue(number), deliveryId, signature: 'generic-v2'};
		case 6:
			return {...push('refs/heads/main'), deliveryId, signature: 'github'};
		default:
			return {...push('refs/heads/main'), route: 'demo-forgotten', deliveryId, signature: 'github'};
	}
}

type Content = Pick<DemoDelivery, 'route' | 'event' | 'payload'>;

function issue(number: number): Content {
	const title = issueTitles[number % issueTitles.length] ?? '';
	return {
		route: 'demo-issues',
		event: 'issues',
		payload: {action: 'opened', issue: {number, title, user: {login: 'robin'}}, repository},
	};
}

function push(ref: string): Content {
	return {
		route: 'demo-pushes',
		event: 'push',
		payload: {ref, repository, head_commit: {message: 'Move the strawberries'}},
	};
}
