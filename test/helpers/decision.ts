/** The call that decides about a sample request, as it is made. */
export function decision(
	verdict: {readonly kind: 'approve'; readonly scope: string} | {readonly kind: 'deny'; readonly message?: string},
	id = '7f3a',
) {
	return verdict.kind === 'approve'
		? {
				method: 'approvals.allow',
				params: {id, scope: verdict.scope, arguments_hash: `hash-of-${id}`},
				profile: 'default',
			}
		: {
				method: 'approvals.deny',
				params: {id, ...(verdict.message !== undefined && {message: verdict.message})},
				profile: 'default',
			};
}
