import { mintShapes } from './mint-shape.js';
/** Where no real mint shows its body shape, the first that the backend understands is kept (clause 4.1). */
export async function settleShape(double, backend) {
    await double.alone(async (scripted) => {
        scripted.lifetime(3);
        for (const shape of mintShapes) {
            scripted.shape(shape);
            if (backend.tokenOf(await backend.request()) === null)
                continue;
            double.settleShape(shape);
            return;
        }
    });
}
/** The authorities to trust in addition (`tls.ca`), as PEM. */
