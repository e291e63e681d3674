import 'reflect-metadata'
import { HttpModule, HttpService } from '@nestjs/axios'
import {
  BadGatewayException,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Header,
  HttpCode,
  Injectable,
  Logger,
  Module,
  Post,
  Req,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { Request } from 'express'
import { firstValueFrom } from 'rxjs'
import { verify } from './verify.js'

type SignedIn = Request & { user: string }

@Injectable()
class AuthGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SignedIn>()
    const [type, token] = request.headers.authorization?.split(' ') ?? []
    if (type !== 'Bearer' || !token) throw new UnauthorizedException()
    try {
      request.user = await verify(token)
    } catch {
      throw new UnauthorizedException()
    }
    return true
  }
}

@Controller('calling')
class CallingController {
  private readonly logger = new Logger(CallingController.name)

  constructor(private readonly http: HttpService) {}

  @Post('token')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @UseGuards(AuthGuard)
  async token(@Req() request: SignedIn): Promise<{ token: string }> {
    try {
      const { data } = await firstValueFrom(
        this.http.post('/api/v1/calling/token', { userId: request.user, ttlSeconds: 900 }),
      )
      const token = data.token ?? data.jwt
      if (typeof token !== 'string' || token === '') throw new Error('the mint sent no token')
      return { token }
    } catch (error) {
      this.logger.error(error instanceof Error ? error.message : error)
      throw new BadGatewayException('calling is not available')
    }
  }
}

@Module({
  imports: [
    HttpModule.register({
      baseURL: process.env.CALLING_API_URL,
      headers: { Authorization: `Bearer ${process.env.CALLING_API_KEY}` },
      timeout: 10_000,
      maxRedirects: 0,
    }),
  ],
  controllers: [CallingController],
  providers: [AuthGuard],
})
class AppModule {}

const app = await NestFactory.create(AppModule)
await app.listen(Number(process.env.PORT), '127.0.0.1')
