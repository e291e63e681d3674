<?php

require_once '/usr/share/php/Symfony/Bundle/FrameworkBundle/autoload.php';
require_once '/usr/share/php/Symfony/Bundle/SecurityBundle/autoload.php';
require_once '/usr/share/php/Symfony/Component/HttpClient/autoload.php';

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Bundle\SecurityBundle\SecurityBundle;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
use Symfony\Component\Security\Core\Authentication\Token\TokenInterface;
use Symfony\Component\Security\Core\Exception\AuthenticationException;
use Symfony\Component\Security\Core\Exception\CustomUserMessageAuthenticationException;
use Symfony\Component\Security\Core\User\InMemoryUser;
use Symfony\Component\Security\Core\User\UserInterface;
use Symfony\Component\Security\Http\Authenticator\AbstractAuthenticator;
use Symfony\Component\Security\Http\Authenticator\Passport\Badge\UserBadge;
use Symfony\Component\Security\Http\Authenticator\Passport\Passport;
use Symfony\Component\Security\Http\Authenticator\Passport\SelfValidatingPassport;
use Symfony\Component\Security\Http\EntryPoint\AuthenticationEntryPointInterface;
use Symfony\Contracts\HttpClient\Exception\ExceptionInterface;
use Symfony\Contracts\HttpClient\HttpClientInterface;

final class SessionAuthenticator extends AbstractAuthenticator implements AuthenticationEntryPointInterface
{
    public function supports(Request $request): ?bool
    {
        return $request->headers->has('Authorization');
    }

    public function authenticate(Request $request): Passport
    {
        if (!preg_match('/^Bearer (\S+)$/i', $request->headers->get('Authorization'), $matches)) {
            throw new CustomUserMessageAuthenticationException('No API token provided');
        }
        foreach (json_decode(getenv('SEED_SESSIONS'), true) as $session) {
            if (hash_equals($session['token'], $matches[1]) && $session['expiresAt'] > time()) {
                return new SelfValidatingPassport(new UserBadge($session['userId'], fn ($id) => new InMemoryUser($id, null)));
            }
        }
        throw new CustomUserMessageAuthenticationException('Invalid credentials.');
    }

    public function onAuthenticationSuccess(Request $request, TokenInterface $token, string $firewallName): ?Response
    {
        return null;
    }

    public function onAuthenticationFailure(Request $request, AuthenticationException $exception): ?Response
    {
        return new JsonResponse(['error' => strtr($exception->getMessageKey(), $exception->getMessageData())], 401);
    }

    public function start(Request $request, AuthenticationException $authException = null): Response
    {
        return new JsonResponse(['error' => 'Authentication Required'], 401);
    }
}

final class CallingController extends AbstractController
{
    public function token(HttpClientInterface $client, UserInterface $user): JsonResponse
    {
        try {
            $data = $client->request('POST', getenv('CALLING_API_URL').'/api/v1/calling/token', [
                'auth_bearer' => getenv('CALLING_API_KEY'),
                'json' => ['userId' => $user->getUserIdentifier(), 'ttlSeconds' => 900],
                'timeout' => 10,
                'max_duration' => 10,
                'max_redirects' => 0,
            ])->toArray();
        } catch (ExceptionInterface $e) {
            return $this->json(['error' => 'Calling is not available.'], 502);
        }
        $token = $data['token'] ?? $data['jwt'] ?? null;
        if (!is_string($token) || '' === $token) {
            return $this->json(['error' => 'Calling is not available.'], 502);
        }

        return $this->json(['token' => $token]);
    }
}

final class Shop extends Kernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable
    {
        return [new FrameworkBundle(), new SecurityBundle()];
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', [
            'secret' => getenv('SESSION_SECRET'),
            'http_client' => ['enabled' => true],
        ]);
        $container->extension('security', [
            'enable_authenticator_manager' => true,
            'providers' => ['users' => ['memory' => null]],
            'firewalls' => ['main' => ['stateless' => true, 'custom_authenticators' => [SessionAuthenticator::class]]],
            'access_control' => [['path' => '^/calling', 'roles' => 'IS_AUTHENTICATED_FULLY']],
        ]);
        $services = $container->services()->defaults()->autowire()->autoconfigure();
        $services->set(SessionAuthenticator::class, SessionAuthenticator::class);
        $services->set(CallingController::class, CallingController::class)->public()->tag('controller.service_arguments');
    }

    protected function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->add('calling_token', '/calling/token')->controller([CallingController::class, 'token'])->methods(['POST']);
    }
}

$kernel = new Shop('prod', false);
$request = Request::createFromGlobals();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
