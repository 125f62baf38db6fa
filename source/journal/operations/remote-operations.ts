import {type RemoteChannelClaim, type RemoteMessage} from '../rows/remote-rows.ts';
import {awaited, end} from './operation.ts';

/** Messages in chats that carry requests to persons (docs/remote.md), and the gateway that holds each channel. */
export const remoteOperations = {
	/** This gateway holds the channel from now on, unless another one that is alive does. */
	claimRemoteChannel: awaited<(channel: string) => RemoteChannelClaim>(),
	releaseRemoteChannel: end<(channel: string) => void>(),
	/** Makes this gateway the owner of the messages of a channel that it holds, and that have not ended; oldest first. */
	takeRemoteMessages: awaited<(channel: string) => readonly RemoteMessage[]>(),
	/** Writes a message, or its change; false where another gateway has taken it over, and nothing was written. */
	writeRemoteMessage: awaited<(message: RemoteMessage) => boolean>(),
};
