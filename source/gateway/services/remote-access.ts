import {errorText} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type RemoteParts} from './remote-requests.ts';
import {type RemoteService, type RemoteStatus} from './remote-service.ts';

/** The chats of a gateway, which are loaded once any is configured (docs/remote.md). */
export type RemoteAccess = Pick<RemoteService, 'counts' | 'status' | 'close'> & {
	/** The same as `counts`, also for chats that other gateways of the journal hold. */
	readonly hasChannel: (profile: string) => boolean;
	/** From now on chats carry requests, where any are configured. */
	readonly start: (parts: RemoteParts) => Promise<void>;
	/** Takes over a changed configuration. Never rejects. */
	readonly apply: () => Promise<void>;
};

/** Creates it; without effects before `start`. */
export function createRemoteAccess(hasChannelElsewhere: (profile: string) => boolean): RemoteAccess {
	let parts: RemoteParts | undefined;
	let service: RemoteService | undefined;
	let phase: 'open' | 'closed' = 'open';
	let last: Promise<void> = Promise.resolve();
	const open = async () => {
		const isConfigured = parts?.profiles.all.some(
			({context}) => context.current().config.approvals.remote.channels.length > 0,
		);
		if (service) {
			await service.apply();
		} else if (parts && isConfigured && phase === 'open') {
			const {openRemoteService} = await import('./remote-service.ts');
			service = await openRemoteService(parts);
		}
	};

	const apply = () => {
		last = last.then(open).catch((caught: unknown) => {
			const text = safeText(errorText(caught));
			parts?.profiles.first.context.publish({type: 'log', level: 'error', area: 'remote', text});
		});
		return last;
	};

	const counts = (profile: string) => service?.counts(profile) ?? false;
	return {
		counts,
		hasChannel: profile => counts(profile) || hasChannelElsewhere(profile),
		status: (): readonly RemoteStatus[] => service?.status() ?? [],
		start(given) {
			parts = given;
			return apply();
		},
		apply,
		async close() {
			phase = 'closed';
			await last;
			await service?.close();
		},
	};
}
