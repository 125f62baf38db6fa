import {type ToolService} from '../../source/gateway/services/tool-service.ts';
import {type EventBus} from '../../source/state/event-bus.ts';

/** As often as a person would try before they give up. */
const maxLogins = 3;

/** A person with a browser: follows each address that a login names. The authorization server of the suite asks nobody. */
export function followLogins(eventBus: EventBus): void {
	eventBus.listen(event => {
		if (event.type === 'login.state' && event.state === 'awaiting-redirect') {
			void follow(event.authorizationUrl ?? '');
		}
	});
}

async function follow(address: string): Promise<void> {
	const answer = await fetch(address, {redirect: 'manual'});
	const location = answer.headers.get('location');
	if (location !== null) {
		await fetch(location);
	}
}

/** Does `work` and logs in as often as it says that a login is missing, within reason. */
export async function withLogins(
	service: ToolService,
	work: () => Promise<'done' | 'login-missing'>,
	signal: AbortSignal,
): Promise<void> {
	for (let logins = 0; (await work()) === 'login-missing' && logins < maxLogins; logins++) {
		const end = await service.logins.start('peer');
		if (end.kind !== 'succeeded') {
			return;
		}

		await service.connections.settled(signal);
	}
}
