/** The body shapes in which a mint may carry the token (clause 4.1 leaves it open). */
export const bodyShapes = ['token', 'jwt', 'json-string', 'bare-text', 'both'] as const
export type BodyShape = (typeof bodyShapes)[number]

export interface ShapedBody {
  readonly contentType: string
  readonly body: string
}

export function shapeBody(shape: BodyShape, jwt: string): ShapedBody {
  const contentType = shape === 'bare-text' ? 'text/plain' : 'application/json'
  const bodies: Record<BodyShape, string> = {
    token: JSON.stringify({ token: jwt }),
    jwt: JSON.stringify({ jwt }),
    'json-string': JSON.stringify(jwt),
    'bare-text': jwt,
    both: JSON.stringify({ token: jwt, jwt }),
  }
  return { contentType, body: bodies[shape] }
}

/** Has the double try each shape until the backend makes a token of it; null where it understands none. */
export async function findBodyShape(
  double: { shape(shape: BodyShape | null): void },
  yieldsToken: () => Promise<boolean>,
): Promise<BodyShape | null> {
  for (const shape of bodyShapes) {
    double.shape(shape)
    if (await yieldsToken()) return shape
  }
  double.shape(null)
  return null
}
