/** The same stream with some members replaced. Ink takes one object for all it does with a stream. */
export function withMembers<Stream extends object>(stream: Stream, members: Partial<Stream>): Stream {
	return new Proxy(stream, {
		get(target, name) {
			if (Object.hasOwn(members, name)) {
				return Reflect.get(members, name);
			}

			const member: unknown = Reflect.get(target, name, target);
			return typeof member === 'function' ? member.bind(target) : member;
		},
	});
}
