import {callPageToJson} from '../../control/run-wire.ts';
import {type Journal} from '../../journal/journal.ts';
import {type ParamsOf} from '../../state/api.ts';
import {type CallPageJson} from '../../state/json/call.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** Pages of recorded calls, whichever process has the journal open. */
export function recordedCalls(
	{paths}: Pick<ProfileContext, 'paths'>,
	journal: Pick<Journal, 'listCallPage'>,
): {readonly page: (query: ParamsOf<'calls.page'>) => Promise<CallPageJson>} {
	return {
		page: async ({since, before}) =>
			callPageToJson(
				await journal.listCallPage({
					profile: paths.profile,
					...(since !== null && {since}),
					...(before !== null && {before}),
				}),
			),
	};
}
